import { text } from 'node:stream/consumers'
import { Op } from '@innkeeper/contract/agent/door'
import { perform } from '../attempt.ts'
import { drivers } from '../drivers/drivers.ts'

/*
 * For driver tests inside a practice host: carries out the one operation on standard input, says its lines, and ends
 * with the answer, as JSON lines.
 */
const op = Op.parse(JSON.parse(await text(process.stdin)))
const print = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)
const answer = await perform(op, { until: Number.POSITIVE_INFINITY }, drivers, (said) => print({ said }))
print({ answer })
process.exit(0)
