// A plugin of typedoc for `npm run docs`: titles of pages instead of file names, import paths instead of source paths, and a category
// for each, which orders the navigation.
import { Comment, CommentTag, Converter } from 'typedoc';

const CATEGORIES = { 'docs/guides': 'Guides', 'docs/reference': 'Reference' };

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, page) => {
    const folder = page.name.slice(0, page.name.lastIndexOf('/'));
    const [heading] = page.content;
    const [, title] = /^# (.*)/.exec(heading?.text ?? '') ?? [];
    page.frontmatter.category = CATEGORIES[folder] ?? 'Project';
    if (title) page.name = title.replaceAll('`', '');
  });

  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const entry of project.children ?? []) {
      const name = entry.name.replace(/^testing\//, '');
      entry.name = name === 'index' ? 'canticle' : `canticle/${name}`;
      entry.comment ??= new Comment();
      entry.comment.blockTags.push(
        new CommentTag('@category', [{ kind: 'text', text: 'API by import' }]),
      );
    }
  });
}
