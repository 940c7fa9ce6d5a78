"""Enters: nothing.

Leaves: the word lists by which titles are found; each says what its words do in abstracts.
"""

from generator.terms import key_of_word, word_set

PROPOSE = word_set(
    """
    propose proposes proposed proposing introduce introduces introducing introduced present presents presenting
    presented develop develops developed design designs designed release create construct build contribute
    devise term call named called dubbed termed coined namely call calls denoted name dub curate establish offer
    unveil
    """
)
SURELY_PROPOSE = word_set(
    """
    propose proposes proposed proposing introduce introduces present presents develop develops design
    """
)
CALLED = word_set(
    """
    called named dubbed termed coined namely denoted call name dub term titled entitled abbreviated
    """
)
OWNERS = word_set("our we this the")
KINDS = word_set(
    """
    method approach framework model algorithm system benchmark dataset technique strategy architecture pipeline
    toolkit library solution paradigm agent network scheme mechanism suite corpus platform protocol procedure
    module estimator optimizer tool metric formulation plugin attack defense simulator environment
    """
)
NO_NAMES = word_set(
    """
    LLM LLMs AI ML RL NLP GPU GPUs CPU CNN CNNs GNN GNNs RNN RNNs VLM VLMs MLLM MLLMs LVLM LVLMs SOTA ICML
    NeurIPS ICLR API APIs GPT BERT CLIP ViT ViTs LoRA SGD Adam ImageNet CIFAR GAN GANs VAE VAEs SAE SAEs MLP
    MLPs PDE PDEs ODE ODEs SDE SDEs OOD ID MDP MDPs MCMC RLHF DPO PPO SFT CoT ICL RAG MoE LM LMs DNN DNNs KL NP
    TV 2D 3D 1D 4D II III IV US UK IID PyTorch Python TensorFlow Transformer Transformers Gaussian Bayesian
    Markov Hessian Euclidean Riemannian Wasserstein Lipschitz
    """
)
"""Names that abstracts drop without having made them."""


STUDY = word_set(
    """
    study studies investigate investigates examine examines explore explores consider considers analyze analyzes
    analyse address addresses tackle revisit characterize understand addressing studying exploring formalize
    evaluate initiate focus focuses
    """
)
SHOW = word_set(
    """
    show shows prove demonstrate demonstrates find argue argues reveal establish observe identify
    """
)
PREPOSITIONS = word_set(
    """
    of for on in to with by via from through using at under without into between across
    """
)
SUBJECTS = word_set(
    """
    we paper work article study and also here to i then further therefore thus first by letter
    """
)
NEVER_FIRST = word_set(
    """
    and or but that which who whose to by with in for of on as is are was were be been being can could may might
    will would has have had its their this these those it they we our than then thus while where when also only
    such not a an the novel new from at into via using based both more most i.e e.g respectively if so how
    despite although however recent recently as since existing unlike given during moreover furthermore
    additionally specifically finally first second third each every any all some many several various there here
    such thus therefore hence because until after before between among none no i an another other others same
    own what why ie eg aims aim able likely even just still often very too further especially particularly
    notably motivated inspired built named called namely termed dubbed
    """
)
NEVER_LAST = word_set(
    """
    and or but that which who whose to by with in for of on as is are was were be been being can could may might
    will would has have had its their this these those it they we our than then thus while where when also only
    such not a an the novel new from at into via using based both more most between among under over without
    through across i.e e.g many several various given i ie eg whether each any all some very highly
    significantly toward towards about against per during within called named termed dubbed namely make makes
    making how why what leading different multiple two three important existing recent proposed achieving allows
    enables allowing enabling
    """
)
FINITE = word_set(
    """
    is are was were has have had can could may might will would does do achieves achieve outperforms outperform
    shows show demonstrate demonstrates enables allows suffers remains provides requires leads suggests exhibits
    we our they it this these improves
    """
)
CLAUSE_BREAKS = word_set(
    """
    that which who whose where while whereas although because since when we our they it is are was were has have
    can will may leverages designed built consisting called named dubbed termed
    """
)
MAY_FOLLOW = (
    word_set(
        """
    and or that which who to by with in for of on as is are was were from at into via using through where when
    while under over across between among without can has have we based called named termed dubbed
    """
    )
    | CLAUSE_BREAKS
)
EMPTY_HEADS = word_set(
    """
    novel new simple effective efficient principled general unified first yet powerful and highly comprehensive
    a an the innovative
    """
)
GENERIC = frozenset(
    key_of_word(word)
    for word in [
        "method",
        "approach",
        "framework",
        "model",
        "problem",
        "novel",
        "new",
        "paper",
        "work",
        "propose",
        "introduce",
        "present",
        "result",
        "experiment",
        "performance",
        "show",
        "demonstrate",
        "state-of-the-art",
        "existing",
        "recent",
        "challenge",
        "significant",
        "important",
        "technique",
        "task",
        "study",
        "address",
        "various",
        "effective",
        "efficient",
        "achieve",
        "improve",
        "question",
        "issue",
        "way",
        "key",
    ]
)
SHORTEST, LONGEST = 2, 16
"""Words of a span."""
SHORTEST_ALONE = 4
"""Words of a span that is the whole title; shorter ones are hardly ever what a paper is about."""
OPENS_PAIR = word_set(
    """
    impact effect effects influence role dependence combination relationship connection gap trade-off tradeoff
    interplay intersection use number set family class lack choice need case
    """
)
"""What follows ``of`` behind these makes no sense without them (the impact of depth on accuracy)."""
PAIR_ENDS = word_set("on between and")
"""What continues a phrase that one of these opens (the impact of depth on accuracy)."""
NO_START_AFTER = word_set(
    """
    to from between than as not if when while because per versus whether among over but no and or can could may
    might must shall should will would cannot be been being is are was were has have had do does did that which
    who whose it they we i you also its their this these those our each such so very more most less how what
    where why
    """
)
"""Behind these stand verbs, half of a pair, or something that the reader of a title has not seen."""
VERBS = word_set(
    """
    achieve achieves adapt adapts add adds address addresses align aligns allow allows analyze analyzes apply
    applies approximate approximates assess assume assumes become becomes bridge bring brings build builds
    capture captures combine combines come comes compare compares comprise comprises compute computes consider
    considers consist consists construct constructs contain contains converge converges create creates cut cuts
    decompose decomposes define defines deliver delivers demonstrate demonstrates depend depends derive derives
    describe describes determine determines develop develops differ differs discover discovers do does
    effectively employ employs enable enables enhance enhances ensure ensures establish establishes evaluate
    evaluates examine examines exceed exceeds exhibit exhibits exist exists exploit exploits explain explains
    extend extends extract extracts fail fails facilitate facilitates find finds focus focuses follow follows
    formulate formulates generalize generalizes generate generates get gets give gives go goes guide guides
    handle handles happen happens help helps hinder hinders hold holds identify identifies ignore ignores
    illustrate implement implements improve improves include includes incorporate incorporates increase
    increases indicate indicates infer infers influence introduce introduces investigate involve involves
    iteratively jointly keep keeps lack lacks learn learns leave leaves lead leads leverage leverages limit
    limits maintain maintains make makes maximize maximizes minimize minimizes mitigate mitigates modify
    modifies motivate motivates neglect need needs obtain obtains occur occurs offer offers often operate
    operates optimize optimizes outperform outperforms overcome overlook perform performs play plays pose poses
    present predict predicts preserve preserves prevent prevents produce produces promote propose proposes prove
    proves provide provides reach reaches recover recovers reduce reduces refer relies rely remain remains
    remove removes replace replaces represent represents require requires resolve result results reveal reveals
    satisfy satisfies scale scales seek seeks select selects serve serves show shows simplify solve solves
    struggle struggles suffer suffers suggest suggests support supports surpass surpasses tackle tackles take
    takes tend tends treat treats train trains uncover understand use uses utilize utilizes vary varies work
    works yield yields presents aims aim faces face challenges accelerate accelerates simultaneously
    significantly substantially consistently typically usually
    """
)
"""Verbs in the forms that make a clause of a span, and adverbs that lead to one. A title is no clause."""
VERBS_TOO_NOUNS = word_set(
    """
    work works result results scale scales focus limit limits need needs present use uses train trains influence
    support cut bridge guide learn play help supports increase lack approximate
    """
)
"""Those that are nouns or parts of names as often; allowed inside, not at the start."""
STRANGERS = word_set("this these those their our we it its they there here such i")
"""Words that point to what the reader of a title has not seen."""
IDLE_FIRST = word_set(
    """
    addition order contrast particular terms light fact practice general case spite turn favor comparison
    experiments results paper work article study code data total part example instance approach method
    """
)
"""Heads of set phrases (in addition to, in order to), and words too empty to begin a title."""
ED_NOUNS = word_set("feed speed seed need embed breed weed bed red")
