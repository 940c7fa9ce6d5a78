"""Enters: the phrases that several papers share, and which acronym means which phrase.

Leaves: the concepts that make good tags, the best first: each a set of variants that mean the same.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from generator.tags.acronyms import Expansions, spellings
from generator.tags.phrases import Phrase
from generator.terms import is_stop_key, key_of_word


def _keys(words: str) -> frozenset[str]:
    return frozenset(key_of_word(word) for word in words.split())


_GENERIC = _keys(
    """
    ability accelerate accurate achieve across address advantage amount application approach area art ask aspect
    attract available aware based baseline best better beyond big boost capability case challenge comprehensive
    concern consume contribution conventional current degree demonstrate different difficulty dive diverse draw
    driven effective effectively effectiveness efficiency efficient efficiently elicit elucidate empirical
    enable enhance enhanced example existing experiment extensive finish flexible framework friendly full
    further given good guided hide high-quality impact implication improve improvement increasingly induced
    insight interest introduce issue key large-scale lens less leverage lightweight limitation main many matter
    method more most much multiple need new novel number oriented outperform page paper paradigm particular
    performance pipeline pivotal possible potential powerful practice present previous prior project promising
    propose proposed provably provide purpose quality ready real real-world recent recently remain remarkable
    require requirement result rethink reveal revisit role say scenario self set setting several show
    significant simple solution sota speak specific standard stay strategy strong study superior tale task
    technique tell theoretical three time-consuming toward traditional twice type underline unified unleash
    unlock unveil use user-friendly variant various version via way weave well widely wise without work worth
    """
)
"""Words that start or end no tag: what any paper has or says of itself, praise and degree."""

_TOO_BROAD_ALONE = _keys(
    """
    ability able allow abstract account accuracy accurate achieve action activation additional address advance
    advanced advantage agnostic aim algorithm alternative amount analysis analyze answer application apply
    approach arbitrary architecture area arm art article ask aspect assess assignment assume assumption attempt
    author available average aware back based baseline batch behavior benefit best better beyond billion bit block
    bold boost bottleneck bound broad build capability capture case certain challenge challenging change
    characteristic characterize claim class classic classical clear close code combination common compare
    comparison compelling competitive complement complete complex component comprehensive computation
    computational concept conclusion condition conduct configuration consensus consider considerable consist
    consistent constraint construct context contribute contribution control conventional core corpus correct cost
    create critical crucial current data deep deep-dive define definition degradation degree demand demonstrate
    demonstration depend dependency deployment derive describe description design desirable desire detailed
    determine develop development difference different difficult difficulty dimension direct direction discover
    discovery discuss discussion distance distinct distribution dive diverse domain drive driven driving dynamic
    easy effect effective effectiveness efficient effort eight element elicit elucidate empirical employ enable
    encoder encourage end enhance enhanced enough ensure entire equal error essential establish estimate
    estimator evidence evolution examine example exceed excellent execution exhibit exist existing expand expect
    experiment experimental expert explicit exploit extend extension extensive extent extra extract face
    facilitate factor fail family fast feasible feature feedback field final finding fine finish first five
    flexible focus form formulate formulation foundation four frame framework free friendly full function
    fundamental further gain gap generic global goal good great ground group grow growing guarantee guide guided
    half handle hard help hide high higher highlight highly hope human hundred hypothesis idea ideal identify
    impact implement implementation importance important impose improve improvement include incorporate increase
    index indicate induced influence information inherent initial innovative input insight inspire instance
    instruction integrate integration interaction interesting intermediate interval intrinsic introduce
    introduction investigate involved issue iteration keep key knowledge known label lack large larger largest
    last layer lead learn learner learning length lens level leverage lightweight likelihood likely limit
    limitation limited line literature little local long look loss low lower machine main maintain major manner
    many map mapping matching matrix matter mean meaning measure mechanism method methodology metric million
    minimal minimum minor mitigate mode model modern module more motivate motivation much multiple naive native
    natural nature necessary need network neural new next nine node noise nontrivial notable notion novel
    novelty number numerous object objective observation observe obtain offer open operation operator
    opportunity order ordinary oriented original outcome outperform output outstanding overall overview own page
    paper parameter parametric part particular pass path pattern perfect perform performance perspective
    phenomenon pipeline point poor popular possibility possible potential power powerful practical practice
    practitioner precise predictor present prevent previous primary principle principled prior problem procedure
    process produce product progress project promise promising proper property proposal propose proposed prove
    provide purpose qualitative quality quantitative question quick range rapid rare rate ratio reach real
    realistic realize recent recipe reduce reduction region related relation relationship relative release
    relevant reliable rely remarkable report require requirement research researcher resource respect response
    restrict result rethink reveal review revisit rich right rigorous role rule same say scalable scale scenario
    schedule scheme scope score seamless second section seek select self sequence serious serve set setting
    setup seven severe shift short shortcoming show signal significance significant similar similarity simple
    simultaneous single situation six sizable size slow small smaller software solution solve sophisticated sota
    source space speak special specific specify speed split stable stage standard state step straightforward
    strategy strength strong stronger structure study style subset substantial subtle success successful suffer
    sufficient suggest suitability suitable superior superiority supervised support surface survey synergy
    system systematic tackle tale target task team technique technology tell ten term test theme theorem
    theoretical thing third thorough thousand three time title tool topic total toward towards track traditional
    train training trajectory tree trend true twice two type typical ubiquitous unclear underline underlying
    understand unexplored unified unify unique unit universal unknown unlock unprecedented unseen unveil update
    usage use useful user usual utility utilize valid validate validation valuable value variable variance
    variant variety various vast versatile version via viable view visual vital way weak weakness weave weight
    well whole wide widespread wise word work workflow world- worse worth wrong year zero
    """
)
"""Words that say too little alone, though they may start or end a phrase (``language models``)."""

_LEAST_TITLES = 2
_TITLE_SHARE = (1, 20)
_TITLE_SHARE_ALONE = (1, 10)
"""Phrases that authors put into titles or keywords are subjects; the rest is how papers are written."""
_CLOSED_SHARE = (1, 5)
_CLOSED_SHARE_ALONE = (7, 20)
"""Below it, the phrase is mostly the beginning of longer ones: an adjective, or half a name."""
_VERBAL_SHARE = (2, 5)
"""Above it, a single word is mostly a verb."""
_COMMONEST = (7, 10)
"""What more than this share of the papers hold divides nothing."""
_FEW_PAPERS = 300
"""Up to so many papers, titles are too few to tell phrases by; longer phrases are preferred instead."""
_KEYWORD_CREDIT = 2
"""A keyword is the authors' own word for a subject, so it counts as that many more titles."""


@dataclass(frozen=True, slots=True)
class Concept:
    """A subject that may become a tag."""

    name: str
    """Its normalised name: how variants, hyphens and acronyms are told to be the same."""
    terms: tuple[str, ...]
    """All variants that mean it, as rows of keys, sorted."""
    words: int
    """Words of its name, an acronym's phrase counting as one."""
    merit: int
    """How good a tag it makes, higher is better."""


def vocabulary_size(papers: int) -> int:
    """Return how many tags a corpus of that many papers should have."""
    by_root = int((64 * papers) ** 0.5)
    return min(2000, max(by_root, papers // 5))


def choose_concepts(
    phrases: Sequence[Phrase],
    expansions: Expansions,
    papers: int,
    taken: Iterable[str] = (),
    *,
    untitled: bool = False,
) -> list[Concept]:
    """Return the concepts fit for tags, the best first; none has a variant among the terms ``taken``.

    Args:
        phrases: Shared phrases, of a table in which spelled-out acronyms have been folded.
        expansions: What acronyms stand for.
        papers: Number of papers that the phrases were counted in.
        taken: Terms of tags that exist already.
        untitled: Whether single words may do that stand in no title.
    """
    variants: defaultdict[str, list[Phrase]] = defaultdict(list)
    for phrase in phrases:
        if _may_be_tag(phrase.keys):
            variants[joined_name(phrase.keys)].append(phrase)
    taken_names = {joined_name(term.split(" ")) for term in taken}
    in_titles = {name: sum(member.titles for member in members) for name, members in variants.items()}
    chosen = []
    for name in sorted(variants):
        members = variants[name]
        merit = _merit(members, papers, untitled=untitled)
        if merit is None or (
            not in_titles[name] and any(_has_titled_part(member.keys, in_titles) for member in members)
        ):
            continue
        terms = sorted({term for member in members for term in _raw_terms(member.keys, expansions)})
        if not any(joined_name(term.split(" ")) in taken_names for term in terms):
            chosen.append(Concept(name, tuple(terms), min(len(member.keys) for member in members), merit))
    return sorted(chosen, key=lambda concept: (-concept.merit, concept.name))


def _has_titled_part(keys: tuple[str, ...], in_titles: Mapping[str, int]) -> bool:
    """Return whether a shorter phrase inside stands in titles, so that the longer one is not needed."""
    parts = (keys[at:end] for at in range(len(keys)) for end in range(at + 2, len(keys) + 1) if end - at < len(keys))
    return any(in_titles.get(joined_name(part), 0) for part in parts)


def joined_name(keys: Sequence[str]) -> str:
    """Return what variants of one phrase share: ``pre-training`` and ``pretraining``, ``data set`` and ``dataset``."""
    # The stem of a word keeps an e that the stem of its compound has lost: fine tune, finetun.
    return "".join(key.rstrip("-") for key in keys).casefold().rstrip("e")


def _may_be_tag(keys: tuple[str, ...]) -> bool:
    if keys[0] in _GENERIC or keys[-1] in _GENERIC:
        return False
    if len(keys) == 1:
        return keys[0] not in _TOO_BROAD_ALONE
    if len(set(keys)) < len(keys):
        return False
    return all(not is_stop_key(key) or key == "of" or key.isdigit() for key in keys[1:-1])


def _merit(members: Sequence[Phrase], papers: int, *, untitled: bool) -> int | None:
    """Return how good a tag the variants make together, in thousandths; None when they make none."""
    titles = sum(member.titles for member in members)
    total = sum(member.papers for member in members)
    closed = sum(member.closed for member in members)
    keywords = sum(member.keywords for member in members)
    alone = all(len(member.keys) == 1 for member in members)
    if total * _COMMONEST[1] > papers * _COMMONEST[0] and papers > 20:
        return None
    if keywords < _LEAST_TITLES:
        share, closed_share = (_TITLE_SHARE_ALONE, _CLOSED_SHARE_ALONE) if alone else (_TITLE_SHARE, _CLOSED_SHARE)
        least = _LEAST_TITLES if papers > _FEW_PAPERS else 1
        judged_by_titles = papers > _FEW_PAPERS or (alone and not untitled)
        if judged_by_titles and (titles < least or titles * share[1] < total * share[0]):
            return None
        if closed * closed_share[1] < total * closed_share[0]:
            return None
        if alone and sum(member.verbal for member in members) * _VERBAL_SHARE[1] > total * _VERBAL_SHARE[0]:
            return None
    credit = titles + _KEYWORD_CREDIT * keywords
    if papers <= _FEW_PAPERS:
        return 1000 * (credit + closed) * min(3, max(len(member.keys) for member in members))
    return credit * credit * 1000 // total


def _raw_terms(keys: tuple[str, ...], expansions: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Return the phrase with each acronym in it written in all its ways."""
    return {" ".join(parts) for parts in product(*(sorted(spellings(key, expansions)) for key in keys))}
