import { text } from 'node:stream/consumers'
import { reasonOf } from '../db/failures.ts'
import { type Contents, proveBackup } from './compare.ts'

/** The process of `proveApart`: reads its arguments from standard input, and prints the tables that differ. */
const { path, place, expected } = JSON.parse(await text(process.stdin)) as {
  path: string
  place: { key: string; dataDir: string }
  expected: Contents
} // from our own process
try {
  process.stdout.write(JSON.stringify(await proveBackup(path, place, expected)))
} catch (error) {
  console.error(reasonOf(error))
  process.exitCode = 1
}
