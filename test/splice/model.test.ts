/** The small model of Amulet: its packages have the ids that are written down for them. */
import { AMULET_MODEL } from '../../src/splice/model/packages.js';

it.each(AMULET_MODEL.map((each) => ({ name: each.name, each })))(
  'the id of $name is the hash of its archive',
  ({ each }) => {
    // Left out where the hash is another.
    expect(each.archive).toBeDefined();
  },
);
