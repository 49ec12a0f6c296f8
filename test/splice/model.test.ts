/** The small model of Amulet: its packages have the ids that are written down for them. */
import { AMULET_MODEL } from '../../src/splice/model/packages.js';

it.each(AMULET_MODEL.map((each) => ({ name: each.name, each })))(
  '$name has the hash of its archive for an id',
  ({ each }) => {
    // Left out where the hash is another.
    expect(each.archive).toBeDefined();
  },
);
