import { operations } from '@innkeeper/contract/agent/operations'
import { type WebServer, webServerTitles } from '@innkeeper/contract/machines/servers/shapes'
import { action } from '../../kit/work/action.ts'

export const documentRootEnsure = action('document-root.ensure', operations['document-root.ensure'], {
  title: 'Document root',
  what: ({ path }) => path,
})
export const documentRootRemove = action('document-root.remove', operations['document-root.remove'], {
  title: 'Document root',
  what: ({ path }) => `${path} goes into the trash`,
})
export const documentRootRename = action('document-root.rename', operations['document-root.rename'], {
  title: 'Document root',
  what: ({ domain, newDomain }) => `renames the folder ${domain} to ${newDomain} and links its old path`,
})
export const documentRootLink = action('document-root.link', operations['document-root.link'], {
  title: 'Old folder name',
  what: ({ path, to }) => `${path} leads to ${to}`,
})
export const documentRootClose = action('document-root.close', operations['document-root.close'], {
  title: 'Old files',
  what: ({ username, path, state }) =>
    state === 'closed' ? `${username} cannot enter the folder of ${path}` : `${username} can write to ${path} again`,
})
export const documentRootUnlink = action('document-root.unlink', operations['document-root.unlink'], {
  title: 'Old folder name',
  what: ({ path }) => `removes the link ${path}`,
})
export const filesReplace = action('website-files.replace', operations['website-files.replace'], {
  title: 'Files',
  what: ({ from, to, files }) => `${from} becomes ${to} in ${files.length} ${files.length === 1 ? 'file' : 'files'}`,
})
const siteOf = (web: WebServer) => {
  const title = `${webServerTitles[web]} site`
  return {
    ensure: action(`${web}-site.ensure`, operations[`${web}-site.ensure`], {
      title,
      what({ domain, aliases, redirects = [], state, movedTo }) {
        if (state === 'moved') return `${domain} is forwarded to ${movedTo}`
        if (state !== 'active') return `${domain} answers 503, ${state}`
        const also = redirects.length ? `; ${redirects.join(', ')} answers 301` : ''
        return `${[domain, ...aliases].join(', ')} on port 80${also}`
      },
    }),
    rename: action(`${web}-site.rename`, operations[`${web}-site.rename`], {
      title,
      what: ({ domain, from }) => `${from} is served as ${domain}, its logs are renamed`,
    }),
    remove: action(`${web}-site.remove`, operations[`${web}-site.remove`], {
      title,
      what: ({ domain }) => `${domain} is no longer served`,
    }),
  }
}
/** The actions on the site file of nginx and of Apache: both take the same inputs. */
export const siteActions = { nginx: siteOf('nginx'), apache: siteOf('apache') }

export const documentRootRestore = action('document-root.restore', operations['document-root.restore'], {
  title: 'Document root',
  what: ({ path }) => `${path} comes out of the trash`,
})
export const logsRestore = action('website-logs.restore', operations['website-logs.restore'], {
  title: 'Logs',
  what: ({ domain }) => `the logs of ${domain} come out of the trash`,
})
export const trashPurge = action('trash.purge', operations['trash.purge'], {
  title: 'Trash',
  lane: 'long',
  what: () => 'its trash is deleted permanently',
})
