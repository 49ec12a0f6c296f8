/** Pictures of traces, element by element: the places of lanes, arrows and bars, and the limits of long traces. */
import { flameGraph, sequenceDiagram } from '../../../src/daml/tracing/trace-pictures.js';

const node = (id: number, more: object = {}) => ({
  ...{ id, depth: 0, kind: 'create', outcome: 'done', template: '#p:M:A', witnesses: [] },
  ...more,
});
const trace = (nodes: readonly object[], more: object = {}) => ({ nodes, ...more }) as never;
const attributes = (text: string) =>
  [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]);
const numbers = (text: string, ...names: readonly string[]) => {
  const all = Object.fromEntries(attributes(text));
  return names.map((name) => Number(all[name]));
};
const size = (svg: string) => numbers(/<svg [^>]*>/.exec(svg)![0], 'width', 'height');
const groups = (svg: string) => svg.match(/<g>.*?<\/g>/g) ?? [];

describe('the sequence diagram', () => {
  const arrow = (svg: string) => {
    const [group = ''] = groups(svg);
    return {
      line: numbers(/<line [^>]*>/.exec(group)?.[0] ?? '', 'x1', 'y1', 'x2', 'y2'),
      loop: /<path d="(M[^"]*)" fill="none"/.exec(group)?.[1],
      tip: /<path d="(M[^"]*z)"/.exec(group)?.[1],
      words: numbers(/<text [^>]*>/.exec(group)![0], 'x', 'y'),
      text: /<text [^>]*>([^<]*)/.exec(group)![1],
      color: /stroke="([^"]*)"/.exec(group)![1],
      isDashed: group.includes('stroke-dasharray'),
    };
  };
  const between = (from: string, to: string, more: object = {}) =>
    trace([node(0, { actors: [from], signatories: [to], ...more })]);

  it('draws an arrow between lanes of 180 pixels, in a row of fixed height', () => {
    const svg = sequenceDiagram(between('a::1', 'b::2'));
    expect(size(svg)).toEqual([360, 108]);
    expect(arrow(svg)).toEqual({
      line: [90, 64, 270, 64],
      loop: undefined,
      tip: 'M270 64l-6 -4v8z',
      words: [98, 52],
      text: 'create A',
      color: '#246',
      isDashed: false,
    });
    const [first, second] = svg.split('\n').filter((line) => line.startsWith('<line'));
    expect([first, second].map((line) => numbers(line!, 'x1', 'y1', 'x2', 'y2'))).toEqual([
      [90, 28, 90, 98],
      [270, 28, 270, 98],
    ]);
  });

  it('draws an arrow to the left if the actor is on the right', () => {
    const back = node(1, { actors: ['b'], signatories: ['a'], choice: 'C', kind: 'exercise' });
    const svg = sequenceDiagram(trace([node(0, { actors: ['a'], signatories: ['b'] }), back]));
    const group = groups(svg)[1]!;
    expect(numbers(/<line [^>]*>/.exec(group)![0], 'x1', 'y1', 'x2', 'y2')).toEqual([
      270, 98, 90, 98,
    ]);
    expect(group).toContain('d="M90 98l6 -4v8z"');
    expect(group).toContain('>exercise A C<');
    expect(group).toContain('<title>exercise M:A C</title>');
  });

  it('draws a loop if no other party is involved', () => {
    const loop = { loop: 'M90 56h24v8h-24', tip: 'M90 64l6 -4v8z', words: [98, 52] };
    for (const own of [
      { actors: ['a'], signatories: ['a'] },
      { actors: ['a'] },
      { authority: { had: ['a'], missing: [] } },
      { signatories: ['a'] },
    ]) {
      const svg = sequenceDiagram(trace([node(0, own)]));
      expect(arrow(svg)).toMatchObject({ ...loop, line: [NaN, NaN, NaN, NaN] });
      expect(size(svg)).toEqual([180, 108]);
    }
  });

  it('draws failed nodes in red, and reads with dashes', () => {
    const kinds = ['create', 'exercise', 'fetch', 'lookup'];
    const dashed = kinds.map(
      (kind) => arrow(sequenceDiagram(between('a', 'b', { kind }))).isDashed,
    );
    expect(dashed).toEqual([false, false, true, true]);
    expect(arrow(sequenceDiagram(between('a', 'b', { outcome: 'refused' }))).color).toBe('#b22');
  });

  it('is as wide as its names and words', () => {
    // 7 pixels a letter, and 8 between words and edges.
    const [long, longer] = ['a'.repeat(30), 'b'.repeat(40)];
    const svg = sequenceDiagram(between(long, longer));
    const step = 40 * 7 + 16;
    const left = 15 * 7 + 8;
    expect(arrow(svg).line).toEqual([left, 64, left + step, 64]);
    expect(size(svg)[0]).toBe(left + step + step / 2);
    for (const to of ['a', 'b']) {
      const choice = 'C'.repeat(40);
      const wordy = sequenceDiagram(
        between('a', to, { kind: 'exercise', choice, template: '#p:M:T' }),
      );
      expect(size(wordy)[0]).toBe(90 + 8 + 7 * `exercise T ${choice}`.length + 8);
    }
  });

  it('cuts names after 60 letters, and tooltips after 200', () => {
    const named = (length: number) => sequenceDiagram(between('a'.repeat(length), 'b'));
    const first = (svg: string) => />(a+…?)</.exec(svg)![1];
    expect([60, 61].map((length) => first(named(length)))).toEqual([
      'a'.repeat(60),
      `${'a'.repeat(60)}…`,
    ]);
    // The mark at its end takes as much as a letter.
    const lefts = [60, 61, 62].map((length) => arrow(named(length)).line[0]);
    expect(lefts).toEqual([60, 61, 61].map((letters) => Math.ceil((letters * 7) / 2) + 8));
    const titleOf = (length: number) => {
      const choice = 'C'.repeat(length - 'exercise M:A '.length);
      const svg = sequenceDiagram(between('a', 'b', { kind: 'exercise', choice }));
      return /<title>([^<]*)/.exec(svg)![1]!;
    };
    expect([titleOf(200).length, titleOf(201).length, titleOf(201).at(-1)]).toEqual([
      200,
      201,
      '…',
    ]);
    expect(titleOf(200).at(-1)).toBe('C');
  });

  it('draws the arrow to the first signatory that is not an actor', () => {
    const signatories = ['a', 'b', 'c'];
    const svg = sequenceDiagram(trace([node(0, { actors: ['a'], signatories })]));
    expect(svg.match(/font-weight="bold">([^<]*)/g)).toEqual(
      ['a', 'b'].map((name) => `font-weight="bold">${name}`),
    );
    expect(svg).toMatch(/<text x="90" y="20" [^>]*>a</);
    expect(svg).toContain('<rect x="0" y="0" width="360" height="108" fill="#fff"');
  });

  it('omits rolled-back nodes, and nodes without known actors', () => {
    const nodes = [node(0, { kind: 'rollback', signatories: ['z'] }), node(1), node(2)];
    const svg = sequenceDiagram(trace(nodes));
    expect([groups(svg).length, ...size(svg)]).toEqual([2, 180, 142]);
  });

  it('draws 500 nodes, and prints the number of other nodes', () => {
    const many = (count: number, more: readonly object[] = []) =>
      sequenceDiagram(
        trace([
          ...Array.from({ length: count }, (_, id) => node(id, { signatories: ['a'] })),
          ...more,
        ]),
      );
    expect(groups(many(500))).toHaveLength(500);
    expect(many(500)).not.toContain('more');
    const more = many(501);
    expect(groups(more)).toHaveLength(500);
    const height = 40 + 501 * 34;
    expect(size(more)[1]).toBe(height);
    expect(more).toMatch(new RegExp(`<text x="8" y="${height - 4}" [^>]*>… 1 more<`));
    // Rolled-back nodes do not count.
    for (const count of [3, 500])
      expect(many(count, [node(count, { kind: 'rollback' })])).not.toContain('more');
  });
});

describe('the flame graph', () => {
  const bars = (svg: string) =>
    groups(svg).map((group) => [
      ...numbers(/<rect [^>]*>/.exec(group)![0], 'x', 'y', 'width', 'height'),
      /<title>([^<]*)/.exec(group)![1],
      /fill="([^"]*)"/.exec(group)![1],
      /<text [^>]*>([^<]*)/.exec(group)?.[1],
    ]);
  const fn = (id: number, steps: number, own: number, more: object = {}) => ({
    ...{ id, depth: 0, name: `M:f${id}`, steps, own },
    ...more,
  });

  it('draws a bar for each function, inside the bar of its caller', () => {
    const svg = flameGraph({
      steps: 100,
      functions: [
        fn(0, 60, 10),
        fn(1, 30, 30, { parent: 0, depth: 1 }),
        fn(2, 20, 20, { parent: 0, depth: 1 }),
        fn(3, 40, 40),
      ],
    } as never);
    expect(size(svg)).toEqual([1200, 90]);
    expect(svg).toMatch(/<text x="8" y="20" [^>]*>100 steps</);
    expect(bars(svg)).toEqual([
      [0, 40, 720, 19, 'M:f0: 60 steps, 10 of its own', '#f6b26b', 'f0'],
      [0, 60, 360, 19, 'M:f1: 30 steps, 30 of its own', '#f6b26b', 'f1'],
      [360, 60, 240, 19, 'M:f2: 20 steps, 20 of its own', '#f6b26b', 'f2'],
      [720, 40, 480, 19, 'M:f3: 40 steps, 40 of its own', '#f6b26b', 'f3'],
    ]);
    expect(svg).toMatch(/<text x="4" y="54" [^>]*>f0</);
  });

  it('draws a bar for each node of a trace, with the sum of its children if the node has no steps', () => {
    const svg = flameGraph(
      trace(
        [
          node(0, { kind: 'exercise', choice: 'C' }),
          node(1, { parent: 0, depth: 1, steps: 30 }),
          node(2, { parent: 0, depth: 1, steps: 10, outcome: 'undone' }),
          node(3, { steps: 40, kind: 'exercise', choice: 'D' }),
          node(4, { parent: 3, depth: 1, steps: 40 }),
          node(5),
        ],
        { steps: 80 },
      ),
    );
    expect(bars(svg)).toEqual([
      [0, 40, 600, 19, 'exercise M:A C: 40 steps', '#f6b26b', 'C'],
      [0, 60, 450, 19, 'create M:A: 30 steps', '#f6b26b', 'M:A'],
      [450, 60, 150, 19, 'create M:A: 10 steps', '#e06666', 'M:A'],
      [600, 40, 600, 19, 'exercise M:A D: 40 steps', '#f6b26b', 'D'],
      [600, 60, 600, 19, 'create M:A: 40 steps', '#f6b26b', 'M:A'],
    ]);
    // In the order of the nodes below: the second begins where the first ends.
    expect(size(svg)[1]).toBe(90);
  });

  it('omits bars below one pixel, and names that are wider than their bar', () => {
    const drawn = (steps: number, name = 'M:abc') =>
      flameGraph({ steps: 1200, functions: [fn(0, steps, 0, { name })] } as never);
    expect([groups(drawn(1)).length, groups(drawn(0)).length]).toEqual([1, 0]);
    expect(bars(drawn(21))[0]!.at(-1)).toBeUndefined();
    expect(bars(drawn(22))[0]!.at(-1)).toBe('abc');
    // At any distance to the right.
    const apart = [fn(0, 600, 0), fn(1, 21, 0, { name: 'M:abc' })];
    expect(bars(flameGraph({ steps: 1200, functions: apart } as never))[1]!.at(-1)).toBeUndefined();
    const deep = [fn(0, 1200, 0), fn(1, 0, 0, { parent: 0, depth: 1 })];
    expect(size(flameGraph({ steps: 1200, functions: deep } as never))[1]).toBe(70);
  });

  it('counts the steps of the last node', () => {
    const nodes = [
      node(0, { kind: 'exercise', choice: 'C' }),
      node(1, { parent: 0, depth: 1, steps: 8 }),
    ];
    const widths = bars(flameGraph(trace(nodes, { steps: 8 }))).map(([, , width]) => width);
    expect(widths).toEqual([1200, 1200]);
  });

  it('of one step fills the width', () => {
    const svg = flameGraph({ steps: 1, functions: [fn(0, 1, 1)] } as never);
    expect(bars(svg).map((bar) => bar.slice(0, 4))).toEqual([[0, 40, 1200, 19]]);
  });

  it('without steps is empty', () => {
    const svg = flameGraph(trace([node(0)]));
    expect([groups(svg).length, ...size(svg)]).toEqual([0, 1200, 70]);
    expect(svg).toContain('>0 steps<');
  });
});
