import type { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import type { Handlers } from '../../kit/http/api.ts'
import { copiesHandlers } from './copies/handlers.ts'
import { locksHandlers } from './locks/handlers.ts'
import { readOverview } from './overview.ts'
import { ownHandlers } from './own/handlers.ts'
import { pausesHandlers } from './pauses/handlers.ts'
import { repositoriesHandlers } from './repositories/handlers.ts'
import { restoresHandlers } from './restores/handlers.ts'
import { runsHandlers } from './runs/handlers.ts'
import { schedulesHandlers } from './schedules/handlers.ts'
import { serversHandlers } from './servers/handlers.ts'
import { tasksHandlers } from './tasks/handlers.ts'
import { treeHandlers } from './tree/handlers.ts'

export const backupsHandlers: Handlers<typeof contract> = {
  overview: (_, { app }) => readOverview(app),
  ...serversHandlers,
  ...runsHandlers,
  ...schedulesHandlers,
  ...restoresHandlers,
  ...repositoriesHandlers,
  ...locksHandlers,
  ...tasksHandlers,
  ...treeHandlers,
  ...copiesHandlers,
  ...pausesHandlers,
  ...ownHandlers,
}
