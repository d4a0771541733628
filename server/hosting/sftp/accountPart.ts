import type { AccountPart } from '../systemUsers/parts.ts'
import { accessFollows } from './steps.ts'

/** SFTP access is suspended and activated with its account. */
export const accessOfAccount: AccountPart = {
  order: 60,
  switchTo: async (db, account, state) => ({ steps: await accessFollows(db, account, state) }),
}
