import { text } from 'node:stream/consumers'
import { type Contents, proveBackup } from './compare.ts'

/** The process of `proveApart`: reads its arguments from standard input, and prints the tables that differ. */
const { path, place, expected } = JSON.parse(await text(process.stdin)) as {
  path: string
  place: { key: string; dataDir: string }
  expected: Contents
} // from our own process
const differ = await proveBackup(path, place, expected)
process.stdout.write(JSON.stringify(differ))
