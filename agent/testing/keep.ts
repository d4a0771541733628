import { writeFileSync } from 'node:fs'
import { resumeTransfers } from '../transfer/source.ts'

/*
 * For driver tests inside a practice host: what an agent does with transfers at its start, for as long as it lives.
 */
await resumeTransfers()
writeFileSync('/run/keep.ready', '')
setInterval(() => {}, 60_000)
