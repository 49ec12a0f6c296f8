// The rules of the prose check: what a sentence may not contain, and the limits of sentences, lines and pages.
// To see what a rule finds: `node scripts/prose.mjs | grep '(stand)'`.

/** Words of a sentence. Aim for 25; the check fails beyond this. */
export const MOST_WORDS = 30;
/** Characters of a line of Markdown prose. Tables, code and lines without spaces are exempt. */
export const MOST_COLUMNS = 120;
/** Characters of a line of a comment. */
export const MOST_COMMENT_COLUMNS = 140;
/** The share of passive sentences of a page that has at least `FEWEST_SENTENCES`. */
export const MOST_PASSIVE = 0.25;
export const FEWEST_SENTENCES = 12;

const BE = '(?:is|are|was|were|be|been|being)';
const FRACTIONS = '(?:halves|thirds|quarters|fifths|sixths|sevenths|eighths|ninths|tenths)';

/**
 * Each row: a name, a pattern, and what to write instead. `in` limits a rule to kinds of text, of which `sentence` means everything but
 * headings, titles and labels.
 */
export const banned = [
  [
    'told',
    `\\b(?:${BE}|gets?) (?:\\w+ )?told\\b|\\btold (?:apart|of|by|as)\\b|\\btell(?:s|ing)? apart\\b`,
    'say who reports it: "X reports Y", "X distinguishes Y from Z"',
  ],
  [
    'tell',
    '\\bfail(?:ed|s)? to tell\\b|\\btell(?:s|ing)? of\\b',
    'use "read", "report" or "is not available"',
  ],
  ['said', `\\b${BE} said\\b`, 'say who prints or documents it'],
  ['given', `\\b${BE} given\\b`, 'use "gets", "receives" or "pass"'],
  [
    'stand',
    '(?<!-)\\b(?:stands?|stood|standing)\\b(?!-)',
    'use "is", "replaces", "means" or "appears"',
  ],
  ['for want of', '\\bfor want of\\b', 'use "because … is missing"'],
  [
    'of its own',
    "\\b(?:of|on) (?:its|their|your|our|my|his|her|one's) own\\b",
    'put it first: "its own ports"',
  ],
  ['theirs', '\\b(?:theirs|ours|hers)\\b', 'repeat the noun'],
  ['to say', "'s to (?:say|hand|know|tell|give|make|decide|show)\\b", 'use "X decides"'],
  ['as ever', '\\bas ever\\b', 'use "as usual", or nothing'],
  [
    'what is',
    '^(?:what|who|whoever|whom|whatever)\\b(?!.*\\?)',
    'start with a noun: "Errors are …", "If you have …"',
    'sentence',
  ],
  ['what is', '; (?:what|who|whoever|whatever) \\w+', 'start a sentence with a noun'],
  [
    'what is',
    '\\b(?:as is|is|are) what\\b|\\b(?:has|have|had) what\\b|\\w[^so]s what (?:has|had) \\w',
    'name the thing',
  ],
  [
    'that … is',
    '^that (?:an?|the|it|they|we|you|each|every|no|nobody)\\b|^that \\w+s (?:are|were|have|is)\\b',
    'use "-ing": "Hosting parties costs traffic"',
    'sentence',
  ],
  [
    'is no',
    `(?<!\\bthere )\\b(?:is|are|was|were) no (?!longer|more|less|fewer|different|such|better|worse|op\\b)\\w`,
    'use "is not a"',
  ],
  [
    'nothing',
    `\\bmeans? nothing\\b|(?<!\\bthere )\\b(?:is|are) nothing\\b|\\bnothing of\\b`,
    'use "has no effect", "is unrelated to"',
  ],
  ['are it', '\\b(?:is|are) (?:it|they|he)[.,;:]', 'name the thing'],
  ['so many', '\\bso many\\b', 'give the number'],
  ['looked', '\\b(?:is|are|was|were) looked\\b', 'use "check" and say who checks'],
  [
    'the one of',
    '^the one of\\b|\\bthe one of\\b|\\b(?:is|are|was|were) of (?!type|the type|this type)\\w',
    'repeat the noun: "the Scan operation", "belongs to"',
  ],
  ['hang on', '\\bhangs? on\\b', 'use "depends on"'],
  [
    'nobody',
    '\\b(?:some|any|every|no)body\\b|\\bwhoever\\b|\\bwhosever\\b',
    'name who: "no client", "a user", "any party"',
  ],
  ['mend', '\\bmend(?:s|ed|ing)?\\b|\\btorn\\b', 'use "fix", "truncated"'],
  ['crowd', '\\bcrowds? of\\b', 'use "many"'],
  [
    'fraction',
    `\\b(?:one|two|three|four|five|six|seven|eight|nine) ${FRACTIONS}\\b|\\b(?:a|one) (?:third|quarter|fifth|tenth) of\\b`,
    'use a number: "40%"',
  ],
  ['a … one', '\\b(?:is|are) a (?:\\w+ )?one\\b', 'repeat the noun, or use the adjective alone'],
  [
    'is there',
    '\\b(?:is|are|was|were) (?:not )?(?:all )?there(?=[.,;:)]|$)|\\b(?:it|they|bytes|that|which) (?:is|are) (?:not )?there(?! (?:is|are|a|an|no)\\b)',
    'use "exists", "is available" or "is missing"',
  ],
  ['let run', '\\blet run\\b', 'use "run", "enable"'],
  ['as who', '\\bas (?:who|whom)\\b', 'use "as parties that"'],
  ['belongs to the test', '\\bbelongs? to (?:the|a) test\\b', 'use "the test controls"'],
  ['do so', '\\b(?:does|do|did) so\\b|\\bby seed\\b', 'repeat the verb; "from a seed"'],
  [
    'until it is on',
    '\\buntil (?:it|they) (?:is|are) on\\b|\\bmakes? the package\\b',
    'use "is not … yet"',
  ],
  [
    'asks no',
    '\\b(?:asks?|knows?|answers?) no(?:thing)?\\b',
    'use "sends no requests", "does not …"',
  ],
  ['only read', '\\bis only read\\b', 'use "read-only"'],
  ['but for', '(?<=[,;.] |^)but for\\b|\\bbut where\\b', 'use "except"'],
  ['go by', '\\bgo(?:es)? by\\b', 'use "use", "follow"'],
  ['by itself', '\\b(?:by|of) (?:itself|themselves)\\b', 'use "automatically" or "alone"'],
  ['someone else', '\\bsomeone else\\b', 'say who: "another user", "a third party"'],
  [
    'anew',
    '\\banew\\b|\\bthereof\\b|\\btherein\\b|\\bhereby\\b|\\bwhence\\b|\\bthereby\\b|\\bin the end\\b',
    'use a common word: "again", "in it"',
  ],
  [
    'metaphor',
    '\\bdoors?\\b|\\bthe house\\b|\\bhalls?\\b|\\bthe books\\b|\\bthere and back\\b',
    'use the standard term: "port", "module", "code base"',
  ],
  ['at most', '\\bat the most\\b', 'use "at most"'],
  ['all the same', '\\ball the same\\b', 'use "still" or "anyway"'],
  ['beside', '\\bbeside\\b', 'use "next to" or "with"'],
  ['that there is not', '\\bthat there (?:is|are) not\\b', 'use "unknown", "missing"'],
  ['be meant', '\\bcannot be meant\\b', 'use "invalid"'],
  ['be had', '\\bto be had\\b', 'use "available"'],
  ['for good', '\\bfor good\\b(?! (?:reason|measure))', 'use "permanently"'],
  ['at hand', '\\bat hand\\b|\\bin vain\\b', 'use "available", "without effect"'],
  ['hand on', '\\bhand(?:s|ed|ing)? (?:on|over|out)\\b', 'use "pass", "return", "distribute"'],
  ['has it', '\\bas (?:\\w+ )?(?:has|have) it\\b', 'use "as in", "in the form of"'],
  ['says it', '\\b(?:says|say) it\\b(?! (?:is|has|does))', 'use "contains", "sets", "decides"'],
].map(([name, pattern, instead, kinds]) => ({
  name,
  pattern: new RegExp(pattern, 'i'),
  instead,
  kinds,
}));

/** One term for one thing, as it is written. Code in backticks is exempt. */
export const terms = [
  [/\bsync(?:hronization)? domains?\b/i, 'synchronizer'],
  [/\bwhole numbers?\b/i, 'integer'],
  [/\bparticipant servers?\b/i, 'participant'],
  [/\bledger api\b|\bLedger Api\b/, 'Ledger API'],
  [/\bJSON API\b/, 'JSON Ledger API'],
  [/(?<![\w/.@#:-])canton(?![\w/.@:-])/, 'Canton'],
  [/(?<![\w/.@#:-])daml(?![\w/.@:-])/, 'Daml'],
  [/(?<![\w/.@-])(?:typescript|Typescript)(?![\w/.-])/, 'TypeScript'],
  [/(?<![\w/.@-])(?:javascript|Javascript)(?![\w/.-])/, 'JavaScript'],
  [/(?<![\w/.@-])(?:github|Github)(?![\w/.-])/, 'GitHub'],
  [/\bLocalnet\b|\blocal net\b/, 'LocalNet'],
].map(([pattern, term]) => ({ pattern, term }));

const IRREGULAR =
  'begun|bound|broken|brought|built|bought|caught|chosen|cut|done|drawn|driven|fed|felt|found|given|gone|grown|held|hidden|kept|known|laid|led|left|lent|lost|made|meant|met|paid|put|read|run|said|seen|sent|set|shown|shut|spent|split|stolen|taken|taught|thrown|told|torn|understood|woken|won|worn|written';
/** Adjectives that end like participles. */
const ADJECTIVES =
  /\b(?:need|red|hundred|embed|speed|feed|shared|supported|allowed|required|related|based|interested|limited|unchanged|deprecated|nested|signed|used)$/;
const passivePattern = new RegExp(
  `\\b(?:${BE}|gets?|got)\\s+(?:(?:not|never|also|only|then|still|already|always|\\w+ly)\\s+)*(\\w+ed|${IRREGULAR})\\b`,
  'gi',
);

export const isPassive = (sentence) =>
  [...sentence.matchAll(passivePattern)].some(([, participle]) => !ADJECTIVES.test(participle));
