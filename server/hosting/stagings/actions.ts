import { operations } from '@innkeeper/contract/agent/operations'
import { action } from '../../kit/work/action.ts'

export const documentRootCopy = action('document-root.copy', operations['document-root.copy'], {
  title: 'Copy of the files',
  lane: 'long',
  what: ({ from, path }) => `${from.path} into ${path}`,
})
export const mergePrepare = action('merge.prepare', operations['merge.prepare'], {
  title: 'Prepare files',
  lane: 'long',
  what: ({ from, path, paths }) =>
    `${paths ? (paths.length === 1 ? paths[0] : `${paths.length} files and folders`) : 'everything'} of ${from.path} beside ${path}`,
})
export const mergeSwap = action('merge.swap', operations['merge.swap'], {
  title: 'Exchange files',
  what: ({ path, back }) =>
    back ? `restores ${path} from before the merge` : `${path} with the prepared files; late uploads are kept`,
})
export const mergeKeep = action('merge.keep', operations['merge.keep'], {
  title: 'Keep former files',
  lane: 'long',
  what: ({ path }) => `moves the former files of ${path} into the trash`,
})
export const mergeBring = action('merge.bring', operations['merge.bring'], {
  title: 'Find former files',
  lane: 'long',
  what: ({ path, taken, files }) =>
    taken
      ? `the former files of ${path}, from the trash`
      : `${files.length} ${files.length === 1 ? 'dump exists' : 'dumps exist'}`,
})
