import { names as namesContract } from '@innkeeper/contract/hosting/names/calls'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { formerFolders } from './formerFolders.ts'
import { namesHandlers } from './handlers.ts'
import { nameWorkflows } from './lifecycle.ts'
import { endOldNames } from './oldNames.ts'

export const names: Domain = {
  workflows: [nameWorkflows],
  calls: [calls('names', namesContract, namesHandlers)],
  websiteParts: [formerFolders],
  schedules: [{ name: 'old names', everyMs: 60_000, work: (app) => endOldNames(app) }],
}
