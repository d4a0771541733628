/** All that a driver may do to a machine. */
export { ensureBase } from './base.ts'
export { exchange } from './files/exchange.ts'
export {
  absent,
  append,
  asideOf,
  codeOf,
  ensureDirectory,
  inside,
  type Owner,
  openFolder,
  putInPlace,
  read,
  remove,
  replace,
  syncFolder,
} from './files/files.ts'
export { adopt, asReset, type Ledger, noteWrite, readLedger, sha } from './files/ledger.ts'
export { type Note, notes } from './files/notes.ts'
export { places, shortName } from './files/places.ts'
export { homeQuota, ofMb, QuotaLimits, quotaCommand, quotaOf, quotaUse } from './files/quota.ts'
export { spooled } from './files/spool.ts'
export {
  bringBack,
  keepCopy,
  purge,
  type Thrown,
  takeOut,
  throwAway,
  throwMade,
  thrown,
  thrownLike,
} from './files/trash.ts'
export { chainTrust } from './network/chainTrust.ts'
export { fastcgiGet } from './network/fastcgi.ts'
export { makeOwnCertificate } from './network/ownCertificate.ts'
export { answers, probe } from './network/probe.ts'
export { converse } from './network/talk.ts'
export { tlsProbe, tlsTrust } from './network/tlsProbe.ts'
export { merged } from './patience/merged.ts'
export { onceThere } from './patience/onceThere.ts'
export { awaited, patience } from './patience/patience.ts'
export { pidsNamed } from './patience/processes.ts'
export { until } from './patience/until.ts'
export { watch } from './patience/watch.ts'
export { apt, whenLocksAreFree } from './programs/apt.ts'
export { comesBack } from './programs/comesBack.ts'
export { debianMirror } from './programs/debianMirror.ts'
export { installedPackages } from './programs/dpkg.ts'
export { beside, exclusive, grouped } from './programs/exclusive.ts'
export { flow } from './programs/flow.ts'
export { gather, killGroup, minimal, must, type Ran, run } from './programs/run.ts'
export { hasSystemd, notEnforced, reloadUnits, service, stateOf } from './programs/service.ts'
