/** All that a driver may do to a machine. */
export { type Base, ensureBase } from './base.ts'
export { installedPackages } from './dpkg.ts'
export { exclusive } from './exclusive.ts'
export { fastcgiGet } from './fastcgi.ts'
export {
  absent,
  append,
  codeOf,
  ensureDirectory,
  inside,
  type Owner,
  openFolder,
  read,
  remove,
  replace,
  syncFolder,
} from './files.ts'
export { flow } from './flow.ts'
export { notes } from './notes.ts'
export { places, shortName } from './places.ts'
export { answers, probe } from './probe.ts'
export { homeQuota, quotaCommand } from './quota.ts'
export { killGroup, minimal, must, type Ran, run } from './run.ts'
export { hasSystemd, notEnforced, service, stateOf } from './service.ts'
export { spooled } from './spool.ts'
export { converse } from './talk.ts'
export { type TlsProbe, tlsProbe } from './tlsProbe.ts'
export { bringBack, keepCopy, purge, type Thrown, takeOut, throwAway, thrown, thrownLike } from './trash.ts'
