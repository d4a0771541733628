import { existsSync } from 'node:fs'
import type { OperationInput, OperationName } from '@innkeeper/contract/agent/operations'
import type { DatabaseEngine } from '@innkeeper/contract/kit/values'
import type { Context, Driver } from '../kit/driver.ts'
import * as mariaLive from './mariadb/connections.ts'
import * as mariaDatabase from './mariadb/database.ts'
import { browseDatabase } from './mariadb/databaseBrowse.ts'
import { convertDatabase } from './mariadb/databaseConvert.ts'
import * as mariaCopy from './mariadb/databaseCopy.ts'
import { inspectDatabase } from './mariadb/databaseInspect.ts'
import * as databaseLoad from './mariadb/databaseLoad.ts'
import { queryDatabase } from './mariadb/databaseQuery.ts'
import { renameDatabase } from './mariadb/databaseRename.ts'
import { measureDatabases } from './mariadb/databasesMeasure.ts'
import * as mariaUser from './mariadb/databaseUser.ts'
import * as mariaWrite from './mariadb/databaseWrite.ts'
import { lookAtDump } from './mariadb/imports/dumpLook.ts'
import { loadImport } from './mariadb/imports/importLoad.ts'
import { swapImport } from './mariadb/imports/importSwap.ts'
import { openMariadb } from './mariadb/replaceIn.ts'
import * as mariaSlow from './mariadb/slowLog.ts'
import { newest } from './postgresql/ask.ts'
import * as browse from './postgresql/browse.ts'
import * as postgresCopy from './postgresql/copy.ts'
import * as postgresDatabase from './postgresql/database.ts'
import * as dumpLook from './postgresql/dumpLook.ts'
import * as importSwap from './postgresql/importSwap.ts'
import * as postgresImports from './postgresql/imports.ts'
import * as postgresLook from './postgresql/look.ts'
import * as postgresQuery from './postgresql/query.ts'
import { openPostgresql } from './postgresql/replaceIn.ts'
import * as postgresSlow from './postgresql/slowLog.ts'
import * as postgresUser from './postgresql/user.ts'
import * as postgresWrite from './postgresql/write.ts'
import { reachable } from './remoteAccess/remoteAccess.ts'
import { replaceDrivers } from './replace/drivers.ts'
import { whereInstalled } from './whereInstalled.ts'

/** Operations whose input names the engine, except for the backup, which restic carries out. */
type OfEngine = Exclude<
  {
    [N in OperationName]: string extends keyof OperationInput<N>
      ? never
      : 'engine' extends keyof OperationInput<N>
        ? N
        : never
  }[OperationName],
  'backup-database.run'
>
/** The operations that each database engine carries out. */
type Engine = { [N in OfEngine]: Driver<N> }

const hasMariadb = () => existsSync('/var/lib/mysql')
const hasPostgresql = () => newest() > 0

const mariadb: Engine = {
  ...replaceDrivers(openMariadb),
  'database.ensure': mariaDatabase.ensureDatabase,
  'database.remove': whereInstalled(hasMariadb, mariaDatabase.removeDatabase),
  'database.restore': mariaDatabase.restoreDatabase,
  'database.rename': renameDatabase,
  'database.convert': convertDatabase,
  'database-user.ensure': reachable('mariadb', mariaUser.ensureDatabaseUser),
  'database-user.remove': whereInstalled(hasMariadb, reachable('mariadb', mariaUser.removeDatabaseUser)),
  'database-user.restore': reachable('mariadb', mariaUser.restoreDatabaseUser),
  'database.marks': mariaCopy.markDatabase,
  'database.unchanged': mariaCopy.unchangedDatabase,
  'database.dump': mariaCopy.dumpDatabase,
  'database.load': databaseLoad.loadDatabase,
  'databases.measure': measureDatabases,
  'database.connections': mariaLive.readConnections,
  'database-connection.end': mariaLive.endConnection,
  'database.query': queryDatabase,
  'database.browse': browseDatabase,
  'database.write': mariaWrite.writeDatabase,
  'database.slow': mariaSlow.readSlow,
  'database.inspect': inspectDatabase,
  'dump.look': lookAtDump,
  'database-import.load': loadImport,
  'database-import.swap': swapImport,
}

const postgresql: Engine = {
  ...replaceDrivers(openPostgresql),
  'database.ensure': postgresDatabase.ensureDatabase,
  'database.remove': whereInstalled(hasPostgresql, postgresDatabase.removeDatabase),
  'database.restore': postgresDatabase.restoreDatabase,
  'database.rename': postgresDatabase.renameDatabase,
  'database.convert': postgresDatabase.convertDatabase,
  'database-user.ensure': reachable('postgresql', postgresUser.ensureUser),
  'database-user.remove': whereInstalled(hasPostgresql, reachable('postgresql', postgresUser.removeUser)),
  'database-user.restore': reachable('postgresql', postgresUser.restoreUser),
  'database.marks': postgresCopy.markDatabase,
  'database.unchanged': postgresCopy.unchangedDatabase,
  'database.dump': postgresCopy.dumpDatabase,
  'database.load': postgresCopy.loadDatabase,
  'databases.measure': postgresLook.measureDatabases,
  'database.connections': postgresLook.readConnections,
  'database-connection.end': postgresLook.endConnection,
  'database.query': postgresQuery.queryDatabase,
  'database.browse': browse.browseDatabase,
  'database.write': postgresWrite.writeDatabase,
  'database.slow': postgresSlow.readSlow,
  'database.inspect': postgresLook.inspectDatabase,
  'dump.look': dumpLook.lookAtDump,
  'database-import.load': postgresImports.loadImport,
  'database-import.swap': importSwap.swapImport,
}

/** The driver of the engine that the input names; without a name, MariaDB. */
function byEngine<N extends OfEngine>(name: N): Driver<N> {
  const of = ({ input }: Context<N>): Driver<N> => {
    const engine = (input as { engine?: DatabaseEngine }).engine ?? 'mariadb'
    // safe cast: both records have a driver of this operation under its name
    return (engine === 'postgresql' ? postgresql : mariadb)[name] as unknown as Driver<N>
  }
  return { run: (c) => of(c).run(c), undo: (c) => of(c).undo(c), inspect: (c) => of(c).inspect(c) }
}

export const databaseDrivers = Object.fromEntries(
  (Object.keys(mariadb) as OfEngine[]).map((name) => [name, byEngine(name)]),
) as unknown as Engine // one driver under each name
