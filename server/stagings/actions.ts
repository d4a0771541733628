import { operations } from '@innkeeper/contract/agent'
import { action } from '../kit/work/action.ts'

export const documentRootCopy = action('document-root.copy', operations['document-root.copy'], {
  title: 'Copy of the files',
  lane: 'long',
  what: ({ from, path }) => `${from.path} into ${path}`,
})
export const siteConfigAdapt = action('site-config.adapt', operations['site-config.adapt'], {
  title: 'Configuration',
  what: ({ databases, names }) =>
    databases.length
      ? `works with ${databases.map(({ name }) => name).join(', ')}${names ? ` under ${names.to}` : ''}`
      : 'is looked through',
})
export const documentRootMerge = action('document-root.merge', operations['document-root.merge'], {
  title: 'Files',
  lane: 'long',
  what: ({ from, path, paths }) =>
    paths
      ? `${paths.length === 1 ? paths[0] : `${paths.length} files and folders`} of ${path} ${paths.length === 1 ? 'is' : 'are'} taken from ${from.path}; what was there is kept`
      : `${from.path} takes the place of ${path}, which is kept`,
})
export const documentRootRevert = action('document-root.revert', operations['document-root.revert'], {
  title: 'Files',
  lane: 'long',
  what: ({ path }) => `restores ${path} from before the merge`,
})
