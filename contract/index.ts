import { auth } from './auth.ts'
import { notifications } from './notifications.ts'
import { owners } from './owners.ts'
import { plans } from './plans.ts'
import { profiles } from './profiles.ts'
import { servers } from './servers.ts'
import { websites } from './websites.ts'
import { workflows } from './workflows.ts'

/** Every call, one line per domain. Never imported by the web: its screens bind their own file. */
export const contract = { auth, profiles, notifications, servers, owners, plans, websites, workflows }
