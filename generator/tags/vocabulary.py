"""Enters: the phrases that several papers share, and which acronym means which phrase.

Leaves: the concepts that may become tags: each a set of variants that mean the same.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import product

from generator.tags.acronyms import Expansions, spellings
from generator.tags.likelihood import ConceptCounts
from generator.tags.phrases import Phrase, joined_name, name_of
from generator.tags.rules import RulePhrase
from generator.terms import is_part_of_a_row, is_stop_key, key_of_word


def _keys(words: str) -> frozenset[str]:
    return frozenset(key_of_word(word) for word in words.split())


def _names(phrases: str) -> frozenset[str]:
    return frozenset(name_of(phrase) for phrase in phrases.split(","))


_GENERIC = _keys(
    """
    ability abovementioned accelerate accurate achieve across address advantage aforementioned amount application
    approach area art ask aspect attract available aware based baseline become best better beyond big boost capability
    case challenge come comprehensive concern consume contribution conventional current degree demonstrate different
    difficulty dive diverse draw driven effective effectively effectiveness efficiency efficient efficiently elicit
    elucidate empirical enable enhance enhanced example existing experiment extensive finish flexible former formerly
    framework friendly full further given good guided hide high-quality impact implication improve improvement
    increasingly induced insight interest introduce issue key large-scale latter lens less leverage lightweight
    limitation main many matter method more most much multiple need new novel number oriented outperform page paper
    paradigm particular performance pipeline pivotal possible potential powerful practice present previous prior
    project promising propose proposed provably provide purpose quality ready real real-world recent recently remain
    remarkable require requirement respective result rethink reveal revisit role say scenario set setting several show
    significant simple solution sota speak specific standard stay strategy strong study superior tale task technique
    tell theoretical three time-consuming toward traditional twice type underline unified unleash unlock unveil use
    user-friendly variant various version via way weave well widely wise without work worth
    """
)
"""Words that start or end no tag: what any paper has or says of itself, praise and degree."""

_TOO_BROAD_ALONE = _keys(
    """
    ability able abstract accessible account accuracy accurate achieve action activation adding additional address
    adopt advance advanced advantage afterward agnostic aim akin albeit algorithm alike alleviate allow alternative
    amount analysis analyze answer application apply approach apt arbitrary architecture area arise arm art article ask
    aspect assess assignment assume assumption attempt attend author available average aware back based baseline batch
    begin behave behavior benefit besides best better beyond billion bit block bold boost bottleneck bound brief bring
    broad build capability capture case central certain challenge challenging change characteristic characterize cheap
    choice claim class classic classical clean clear close code combination come common compact compare comparison
    compelling compete competing competitive complement complete complex component comprehensive computation
    computational concept conclusion condition conduct configuration confirm consensus consequently consider
    considerable consist consistent constraint construct context continue continuous contribute contribution control
    conventional convey core corpus correct cost craft crafted create critical crucial current data dataset day deep
    deep-dive define definition degradation degree demand demonstrate demonstration demystify depend dependency
    deployment derive describe description design desirable desire detailed determine develop development difference
    different difficult difficulty dimension direct direction discover discovery discuss discussion dissect distance
    distinct distribution dive diverse domain double drive driven driving dynamic easy ecosystem effect effective
    effectiveness efficient effort eight element elicit elucidate emerge emphasis empirical employ enable encoder
    encourage end enhance enhanced enough ensure entire equal equip equipped era error especially essential establish
    estimate estimator evidence evolution examine example exceed excellent execution exhibit exist existing expand
    expect expensive experiment experimental expert explicit exploit extend extension extensive extent extra extract
    face facilitate fact factor fail fall family far fast faster favor feasible feature feedback field final finding
    fine finish first five flexible focus follow following form formation formulate formulation foundation four frame
    framework free fresh friendly full function fundamental further furthermore gain gap generic global goal good great
    ground group grow growing guarantee guide guided half hallmark handle happen hard harder help hence herein hide
    high higher highlight highly hold hope human hundred hypothesis idea ideal identify impact implement implementation
    importance important impose improve improvement inaccurate include incorporate increase index indicate induced
    inferior influence information inherent inherently initial inner innovative input inside insight inspire instance
    instruction integrate integration interaction interesting intermediate interval intrinsic introduce introduction
    investigate involved irrelevant issue item iteration keen keep key knowledge known label lack large largely larger
    largest last later layer lead learn learner learning left length lens level leverage lie lightweight likelihood
    likely likewise limit limitation limited line link literature little local long look loss low lower machine main
    maintain major manner many map mapping massive matching matrix matter mean meaning meanwhile measure mechanism
    merely method methodology metric million minimal minimum minor minus minute mitigate mixed mode model modern module
    more motivate motivation moving much multiple naive native natural nature necessary necessity need negative network
    neural nevertheless new next night nine node noise nonetheless nontrivial notable notably notion novel novelty
    nuance nuanced number numerous object objective observation observe obtain occur offer old open operation operator
    opportunity order ordinary oriented original outcome outer outperform output outstanding overall overhead overly
    overview overwhelming own page pair paper par parameter parametric part particular pass path pattern perfect
    perform performance persist perspective pervasive phenomenon pipeline plain play plus point poor popular position
    possibility possible potential power powerful practical practice practitioner precede preceding precise predictor
    present prevalence prevent previous primary principle principled prior prioritize problem procedure process produce
    product progress project promise promising promote prone proper property proposal propose proposed prove provide
    purpose qualitative quality quantitative quantity question quick range rapid rare rate ratio reach ready real
    realistic reality realize recent recipe recognize reduce reduction regard region related relation relationship
    relative release relevant reliable rely remark remarkable report request require requirement research researcher
    reside resource respect response restrict result rethink reuse reveal reverse review revisit rich right rigorous
    rise role rough rule safer same sample say scalable scale scenario schedule scheme scope score seamless second
    section seek select self sense sequence sequential serious serve set setting setup seven severe share shared shift
    short shortcoming shot show sign signal significance significant similar similarity simple simplify simultaneous
    single situation six sizable size slight slow small smaller software solution solve someone sophisticated sota
    source space speak special specific specify speed split square squared stable stage standard start state step
    stitch stop store stored straightforward strategy strength strong stronger structure study style subset substantial
    subtle success successful suffer sufficient suggest suitability suitable suite sum summary superior superiority
    supervised support surface surge survey synergy system systematic tackle tailor tale target task team technique
    technology tell ten term test theme theorem theoretical thereof thing think thinking third thorough thought
    thousand three time title today tool top topic total toward towards track traditional train training trajectory
    treat tree tremendous trend true try turn twice two two-fold two-phase twofold type typical ubiquitous unclear
    underline underlying understand unexplored unified unify unique unit universal unknown unlock unprecedented unravel
    unseen unveil update upper usage use useful user usual utility utilize valid validate validation valuable value
    variable variance variant variation variety various vast versatile version via viability viable view visual vital
    way weak weakness weave weight well whether whole wide widely widespread wild win wise word work workflow world
    world- worse worth wrong year zero
    """
)
"""Words that say too little alone, though they may start or end a phrase (``language models``)."""

_TOO_BROAD_TOGETHER = _names(
    """
    training data, data points, data sets, source code, open source, success rate, computational cost, model training,
    training models, training cost, training time, training set, test set, test data, sample size, model size, model
    performance, high level, low level, wide range, real time, large scale, two stages, second order, first order,
    trade off, long term, short term, follow up, well known, data driven, model based, fine grained, computational
    efficiency, high dimensional, input data, output data, left to right, high quality, low cost, data distribution,
    model behavior, data quality, computational resources, computational complexity, design space, data collection,
    model output, natural question, numerical experiments, research questions, case studies, building blocks, step by
    step, larger models
    """
)
"""Phrases that name a side of nearly any work, not its subject."""

_TITLE_SHARE = (1, 40)
"""What hardly any author puts into a title or among the keywords is how papers are written, not what they are about."""
_CLOSED_SHARE = (1, 5)
"""Below it, the phrase is mostly the beginning of longer ones: an adjective, or half a name."""
_VERBAL_SHARE = (2, 5)
"""Above it, a single word is mostly a verb."""
_END_SHARE = (9, 10)
"""A phrase is the mere end of a longer one when that has this share of its papers, and it begins in hardly any."""
_FEW_PAPERS = 300
"""Up to so many papers, titles are too few to tell phrases by."""
_ENOUGH_KEYWORDS = 2
"""A phrase that so many authors list is a subject, however it is used otherwise."""


@dataclass(frozen=True, slots=True)
class Concept:
    """A subject that may become a tag."""

    name: str
    """Its normalised name: how variants, hyphens and acronyms are told to be the same."""
    terms: tuple[str, ...]
    """All variants that mean it, as rows of keys, sorted."""
    counts: ConceptCounts
    """What its phrases show in all papers together."""
    is_fit: bool
    """Whether it may become a tag without a rule that asks for it."""


def vocabulary_size(papers: int) -> int:
    """Return how many tags a corpus of that many papers should have."""
    by_root = int((64 * papers) ** 0.5)
    return min(2000, max(by_root, papers // 5))


def choose_concepts(
    phrases: Sequence[Phrase],
    expansions: Expansions,
    papers: int,
    taken: Set[str],
    wanted: Sequence[Sequence[RulePhrase]] = (),
) -> list[Concept]:
    """Return the concepts that may become tags, sorted by name; none has a variant of a name that is ``taken``.

    Args:
        phrases: Shared phrases, of a table in which spelled-out acronyms have been folded.
        expansions: What acronyms stand for.
        papers: Number of papers that the phrases were counted in.
        taken: Names that are not to be had, see `joined_name`.
        wanted: Phrases that the user asks for: each row is one concept, named by its first; they come whatever they
            are.
    """
    members_of: defaultdict[str, list[Phrase]] = defaultdict(list)
    for phrase in phrases:
        members_of[joined_name(phrase.keys)].append(phrase)
    acronyms = {joined_name(expansion): acronym for acronym, expansion in sorted(expansions.items(), reverse=True)}
    chosen = {}
    asked = set()
    for row in wanted:
        names = {name for phrase in row for name in (phrase.name, acronyms.get(phrase.name, phrase.name))}
        asked |= names
        members = [member for name in sorted(names) for member in members_of[name]]
        terms = {phrase.term for phrase in row}
        terms |= {term for member in members for term in _raw_terms(member.keys, expansions)}
        counts = _counts(members, terms)
        own = members_of[row[0].name]
        chosen[row[0].name] = Concept(row[0].name, tuple(sorted(terms)), counts, bool(own) and _may_be_tag(own, papers))
    for name, members in members_of.items():
        if name in taken or name in asked or not _may_be_tag(members, papers):
            continue
        terms = {term for member in members for term in _raw_terms(member.keys, expansions)}
        if taken.isdisjoint(names := {joined_name(term.split(" ")) for term in terms}) and asked.isdisjoint(names):
            chosen[name] = Concept(name, tuple(sorted(terms)), _counts(members, terms), is_fit=True)
    ends = _mere_ends([phrase for name in sorted({*chosen, *taken}) for phrase in members_of.get(name, ())])
    return [chosen[name] for name in sorted(chosen) if name in asked or name not in ends]


def _mere_ends(phrases: Sequence[Phrase]) -> set[str]:
    """Return the names of phrases that hardly stand but at the end of a certain longer one."""
    phrase_of = {phrase.keys: phrase for phrase in phrases}
    return {
        joined_name(end.keys)
        for phrase in phrases
        for start in range(1, len(phrase.keys))
        if (end := phrase_of.get(phrase.keys[start:])) is not None
        and end.papers * _END_SHARE[0] <= phrase.papers * _END_SHARE[1]
        and end.begun * _END_SHARE[1] <= end.papers * (_END_SHARE[1] - _END_SHARE[0])
    }


def _may_be_tag(members: Sequence[Phrase], papers: int) -> bool:
    """Return whether phrases of one name are fit for a tag, by their words and by where they stand."""
    # Broken words have the name of whole ones (ap-proach); the commonest variant tells what it is.
    commonest = max(members, key=lambda member: member.papers)
    if not _is_fit(commonest.keys) or is_part_of_a_row(commonest.keys[0]):
        return False
    if sum(member.keywords for member in members) >= _ENOUGH_KEYWORDS:
        return True
    total = sum(member.papers for member in members)
    titles = sum(member.titles for member in members)
    closed = sum(member.closed for member in members)
    verbal = sum(member.verbal for member in members)
    if papers > _FEW_PAPERS and (titles < 1 or titles * _TITLE_SHARE[1] < total * _TITLE_SHARE[0]):
        return False
    if verbal * _VERBAL_SHARE[1] > total * _VERBAL_SHARE[0]:
        return False
    return closed * _CLOSED_SHARE[1] >= total * _CLOSED_SHARE[0]


def _is_fit(keys: tuple[str, ...]) -> bool:
    if keys[0] in _GENERIC or keys[-1] in _GENERIC:
        return False
    if len(keys) == 1:
        return keys[0] not in _TOO_BROAD_ALONE
    if joined_name(keys) in _TOO_BROAD_TOGETHER:
        return False
    if len(set(keys)) < len(keys):
        return False
    return all(key == "of" or key.isdigit() or not is_stop_key(key) for key in keys[1:-1])


def _counts(members: Sequence[Phrase], terms: Set[str]) -> ConceptCounts:
    lengths = [term.count(" ") + 1 for term in terms]
    return ConceptCounts(
        # What an acronym stands for tells, where it is known.
        words=min((length for length in lengths if length > 1), default=1),
        closed=sum(member.closed for member in members),
        verbal=sum(member.verbal for member in members),
        papers=sum(member.papers for member in members),
    )


def _raw_terms(keys: tuple[str, ...], expansions: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Return the phrase with each acronym in it written in all its ways."""
    return {" ".join(parts) for parts in product(*(sorted(spellings(key, expansions)) for key in keys))}
