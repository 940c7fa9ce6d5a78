"""Enters: nothing.

Leaves: the word lists by which titles are found; each says what its words do in abstracts.
"""

from generator.terms import word_set

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
    notably motivated inspired resulting built named called namely termed dubbed
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
    enables allowing enabling driven shown known seen taken written drawn made found obtained chosen given
    becoming remains capable able like together alone
    subject common leads composed aimed inspired
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
    accelerate accelerates accommodate accomplish accumulate accumulates achieve achieves acquire act activate
    acts adapt adapts add address addresses adds adhere adjust adjusts admit admits adopt adopts advance
    advocate affect aggregate aggregates aim aims align aligns alleviate alleviates allocate allocates allow
    allows alter alternates amplifies amplify analyze analyzes annotate anticipate appear applies apply
    approximate approximates argue arise arises arrive articulate ask assess assesses assign assigns assist
    assume assumes attain attains attempt attend attribute augment augments automate automates avoid avoids
    balance balances become becomes begin begins behave believe blend boost boosts break breaks bridge bridges
    bring brings broaden build builds bypass bypasses calculate calibrate calibrates call capture captures carry
    cast catalyze categorize cause challenges characterize characterizes choose circumvent clarify classify
    close closes collaborate collapses collect combine combines come comes communicate compare compares
    compensate complement complements compose composes comprehend compress compresses comprise comprises
    compromise compromises compute computes concentrate conduct conducts confirm connect connects consider
    considers consist consistently consists constrain constrains construct constructs contain contains continue
    contribute contributes controls converge converges convert converts convey corrects correlate correspond
    corresponds corroborate counteract couple couples cover covers create creates curate cut cuts decide decides
    decode decompose decomposes decouple decouples defend define defines degrade degrades deliver delivers
    demand demonstrate demonstrates denoise depend depends deploy derive derives describe describes detect
    detects determine determines develop develops deviate deviates devise diagnose diagnoses differ
    differentiate differs diffuse discard discover discovers discuss disentangle disentangles disrupt disrupts
    distill distills distinguish distinguishes distort diverge do does dominate draw draws drive drives
    effectively elicit elicits eliminate eliminates embeds emerge emphasize emphasizes employ employs empower
    empowers emulate enable enables encode encodes encompass encompasses encounter encourage encourages endow
    enforce enforces engage enhance enhances enjoys enrich enriches ensure ensures equips erase escape establish
    establishes estimate estimates evade evaluate evaluates evolve evolves exacerbate examine examines exceed
    exceeds excel excels execute executes exhibit exhibits exist exists expand expands expect explain explains
    exploit exploits explore explores expose express extend extends extract extracts face faces facilitate
    facilitates fail fails fall falls favors fill filter filters find finds finetune fit fix focus focuses
    follow follows force forecast formalize formalizes formulate formulates foster found fuse fuses gain
    generalize generalizes generate generates get gets give gives go goes govern governs grasp grounds grow
    grows guarantee guide guides hallucinate handle handles happen happens harm harness harnesses help helps
    highlight hinder hinders hold holds hope hypothesize identifies identify ignore ignores illustrate imitate
    implement implements impose imposes improve improves incentivize incentivizes include includes incorporate
    incorporates increase increases incur incurs indicate indicates induce induces infer infers influence inform
    inherit inherits initialize inject injects inspire instantiate instantiates integrate integrates interact
    internalize interpolates interpret interprets introduce introduces investigate investigates invoke involve
    involves isolate isolates iteratively jointly justify keep keeps lack lacks lead leads learn learns leave
    leaves leverage leverages lie lifts limit limits links localize look lose maintain maintains make makes
    manage manipulate map maps match matches maximize maximizes measure measures meet memorize merge mimic
    mimics minimize minimizes mirrors mislead miss mitigate mitigates modifies modify modulate modulates
    motivate motivates move moves name navigate need needs neglect note obscure observe obtain obtains occur
    occurs offer offers often operate operates operationalize optimize optimizes organize organizes outline
    outperform outperforms overcome overcomes overfit overlook partitions pave penalizes perceive perform
    performs persist perturb perturbs play plays pose poses posit possess predict predicts present presents
    preserve preserves pretrain prevent prevents prioritize prioritizes probe produce produces promote promotes
    propagate propose proposes protect prove proves provide provides prune prunes push quantifies quantify raise
    reach reaches realize reason recasts recognize recommend reconcile reconstruct reconstructs recover recovers
    redefines reduce reduces refer refers refine refines reflect reflects reformulate reformulates reframe
    reframes regularize regularizes regulate release relies rely remain remains remove removes render replace
    replaces replicate report represent represents reproduce require requires resemble reshape resist resolve
    resolves respect respond restore restores restrict restricts result results retain retains rethink retrieve
    retrieves reuses reveal reveals revise revisit reweights rival routes run satisfies satisfy scale scales
    searches seek seeks select selects separates serve serves share shares sharpen show showcase shows
    significantly simplify simulate simulates simultaneously skip solve solves span specialize specify stabilize
    stabilizes starts steer steers stop store stores strengthen strengthens struggle struggles substantially
    substantiate suffer suffers suggest suggests support supports suppress suppresses surpass surpasses sustain
    switch synthesize synthesizes tackle tackles take takes teach teaches tend tends think trace track tracks
    trade train trains transfer transfers transform transforms translate translates treat treats turns typically
    uncover undermine undermines underperform underpin underpins understand unifies unify unlearn unlock unlocks
    use uses usually utilize utilizes validate validates varies vary verifies verify violate visualize work
    works write yield yields
    """
)
"""Verbs in the forms that make a clause of a span, and adverbs that lead to one. A title is no clause."""
VERBS_TOO_NOUNS = word_set(
    """
    abstracts act acts advance aggregate alternates approximate attempt attribute balance balances blend
    boost boosts bridge bridges cause close complements compound compromise compute controls couples cover
    covers cut demand draw draws drive encounter encounters estimate estimates face falls favors filter filters
    fit fix focus force forecast gain grasp guarantee guide harm increase increases influence lack lead leads
    learn leaves limit limits links lives map maps match matches measure measures merge mirrors move moves need
    needs neglect obscure offers partitions play present probe reach reason release report result results rival
    routes run scale scales searches shares skip span stop support supports switch trace track tracks trade
    train trains transfer turns use uses work works yield yields
    """
)
"""Those that are nouns or parts of names as often; allowed inside, not at the start."""
STRANGERS = word_set("this these those their our we it its they there here such i")
"""Words that point to what the reader of a title has not seen."""
IDLE_FIRST = word_set(
    """
    addition order contrast particular terms light fact practice general case spite turn favor comparison
    experiments results idea notion concept challenge promise aim goal purpose paper work article study code
    data total part example instance approach method
    """
)
"""Heads of set phrases (in addition to, in order to), and words too empty to begin a title."""
ED_NOUNS = word_set("feed speed seed need embed breed weed bed red")
JOINERS = word_set("for in via with using under through")
"""Prepositions by which a second phrase can be tied to any first one."""
ASKS = word_set("can do does is are how what why when which should could will must where who whether to under")
"""Words that questions begin with."""
ARGUE = word_set("argue argues contend contends posit posits claim claims maintain maintains advocate assert asserts")
"""Verbs that lead to the thesis of a position paper."""
CLAUSE_CUTS = word_set("because while whereas since when if by rather which where although through so")
"""Words before which a thesis that is too long may be cut."""
PROPER = word_set(
    """
    Banach Bayes Bayesian Bellman Boltzmann Bregman Brownian Cauchy Chebyshev Chinese Dirichlet Earth English
    Euclidean European Fisher Fourier French Gaussian German Gibbs Granger Hamiltonian Hessian Hilbert Indian
    Internet Itô Jacobian Japanese Kolmogorov Koopman Lagrangian Langevin Laplace Laplacian Lipschitz Lyapunov
    Markov Markovian Monte Nash Newton Newtonian Poisson Pareto Riemannian Schrödinger Shannon Shapley Sobolev
    Stackelberg Stein Thompson Transformer Transformers Wasserstein Western Wikipedia
    """
)
"""Words that keep their capital wherever they stand."""
IDLE_TAILS = word_set(
    """
    approach challenge challenges issue issues limitation method methods paradigm problem problems question questions
    technique techniques way ways
    """
)
"""Words too empty for the second part of a title: for what, nobody would learn from them."""
