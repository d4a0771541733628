import { openDump } from '../dumps/reading.ts'
import { DATABASES } from './ask.ts'
import { ownDump } from './ownDump.ts'

/** Opens a dump for a database of this PostgreSQL. */
export const openForeign = (path: string, mostBytes: number, say: (text: string) => void) =>
  openDump(path, ownDump(), { mostBytes, databases: DATABASES }, say)
