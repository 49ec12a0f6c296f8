/** The small model of Amulet: its packages have the ids that are written down for them. */
import { createHash } from 'node:crypto';
import { AMULET_MODEL } from '../../src/splice/model/packages.js';

it.each(AMULET_MODEL.map(({ name, id, archive }) => ({ name, id, archive })))(
  '$name has the hash of its description for an id',
  ({ id, archive }) => {
    expect(id).toBe(createHash('sha256').update(archive).digest('hex'));
  },
);
