import { operations } from '@innkeeper/contract/agent/operations'
import { action } from '../../kit/work/action.ts'

export const postgresqlAccess = action('postgresql-access.ensure', operations['postgresql-access.ensure'], {
  title: 'PostgreSQL access',
  what: () => 'accounts of databases connect by password, over the socket and loopback',
})
export const databaseEnsure = action('database.ensure', operations['database.ensure'], {
  title: 'Database',
  what: ({ name, collation }) => `${name}, ${collation}`,
})
export const databaseRemove = action('database.remove', operations['database.remove'], {
  title: 'Database',
  lane: 'long',
  what: ({ name }) => `${name} is dumped into the trash and dropped`,
})
export const databaseRestore = action('database.restore', operations['database.restore'], {
  title: 'Database',
  lane: 'long',
  what: ({ name }) => `${name} comes out of the trash`,
})
export const databaseRename = action('database.rename', operations['database.rename'], {
  title: 'Rename',
  lane: 'long',
  what: ({ name, newName }) => `${name} becomes ${newName}, with all its contents`,
})
export const databaseConvert = action('database.convert', operations['database.convert'], {
  title: 'Character set',
  lane: 'long',
  what: ({ name, collation, existing }) => `${name} gets ${collation}${existing ? ', and so do its tables' : ''}`,
})
export const databaseUserEnsure = action('database-user.ensure', operations['database-user.ensure'], {
  title: 'Database account',
  what: ({ user, host, grants, locked }) => {
    const who = host ? `${user} from ${host}` : user
    return locked
      ? `${who} is locked`
      : `${who} has access to ${grants.map((g) => g.database).join(', ') || 'no database'}`
  },
})
export const databaseUserRemove = action('database-user.remove', operations['database-user.remove'], {
  title: 'Database account',
  what: ({ user }) => `${user} goes into the trash`,
})
export const databaseUserRestore = action('database-user.restore', operations['database-user.restore'], {
  title: 'Database account',
  what: ({ user }) => `${user} comes out of the trash`,
})
export const databaseUnchanged = action('database.unchanged', operations['database.unchanged'], {
  title: 'Unchanged',
  what: ({ name }) => `${name} has not changed since the preview`,
})
export const databaseMarks = action('database.marks', operations['database.marks'], {
  title: 'Marks',
  lane: 'long',
  what: ({ name }) => `computes checksums of ${name}, to find later changes`,
})
export const databaseDump = action('database.dump', operations['database.dump'], {
  title: 'Dump',
  lane: 'long',
  what: ({ name, tables, changedSince }) =>
    changedSince
      ? `the tables of ${name} that have changed since`
      : tables
        ? `${tables.length} tables of ${name}`
        : `all of ${name}`,
})
export const databaseLoad = action('database.load', operations['database.load'], {
  title: 'Load dump',
  lane: 'long',
  what: ({ name, tables, renew }) =>
    renew
      ? `${name} gets the changes made since the first copy`
      : tables
        ? `${tables.length} tables into ${name}; the former content is kept`
        : `into ${name}; the former content is kept`,
})
export const databaseInspect = action('database.inspect', operations['database.inspect'], {
  title: 'Tables',
  lane: 'long',
  what: ({ name }) => `counts the rows of ${name} and computes checksums`,
})

export const databaseReplace = action('database.replace', operations['database.replace'], {
  title: 'Replace',
  lane: 'long',
  what: ({ name, from, to, tables }) =>
    `${to} instead of ${from} in ${tables ? `${tables.length} tables of ` : ''}${name}; the former values are kept`,
})
export const databaseOwnNames = action('database.own-names', operations['database.own-names'], {
  title: 'Own names',
  lane: 'long',
  what: ({ name, from, to }) => `${to} instead of ${from} in ${name}; the former values are kept`,
})
export const databasePutBack = action('database.put-back', operations['database.put-back'], {
  title: 'Put back',
  lane: 'long',
  what: ({ name, values }) => `up to ${values} values of ${name} get their former content`,
})

export const dumpFetch = action('dump.fetch', operations['dump.fetch'], {
  title: 'Bring dump',
  lane: 'long',
  what: ({ blob, home }) =>
    home ? `${home.path} of ${home.username} is copied` : `copies ${blob?.size} bytes to the server`,
})
export const dumpLook = action('dump.look', operations['dump.look'], {
  title: 'Look at dump',
  lane: 'long',
  what: ({ scratch }) => (scratch ? 'reads the dump, and tries it in a scratch database' : 'reads the dump'),
})
export const dumpDrop = action('dump.drop', operations['dump.drop'], {
  title: 'Dump',
  what: () => 'is deleted from the server',
})
export const dumpSend = action('dump.send', operations['dump.send'], {
  title: 'Send dump',
  lane: 'long',
  what: ({ file }) => `${file} comes to Innkeeper`,
})
export const importLoad = action('database-import.load', operations['database-import.load'], {
  title: 'Load dump',
  lane: 'long',
  what: ({ aside, fresh }) =>
    fresh ? `the dump goes into ${aside}` : `the dump goes into ${aside}; the database stays as it is`,
})
export const importSwap = action('database-import.swap', operations['database-import.swap'], {
  title: 'Exchange',
  what: ({ name }) => `${name} gets the imported contents`,
})

export const siteConfigAdapt = action('site-config.adapt', operations['site-config.adapt'], {
  title: 'Configuration',
  what: ({ databases, names }) =>
    databases.length
      ? `works with ${databases.map(({ name }) => name).join(', ')}${names ? ` under ${names.to}` : ''}`
      : 'is inspected',
})
