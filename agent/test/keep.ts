import { writeFileSync } from 'node:fs'
import { resumeTransfers } from '../transfer/source.ts'

/* For driver tests inside a practice host: serves transfers as an agent does after its start, until killed. */
await resumeTransfers()
writeFileSync('/run/keep.ready', '')
setInterval(() => {}, 60_000)
