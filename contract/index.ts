import { auth } from './auth.ts'
import { owners } from './owners.ts'
import { plans } from './plans.ts'
import { servers } from './servers.ts'
import { websites } from './websites.ts'
import { workflows } from './workflows.ts'

/** Every call, one line per domain. Never imported by the web: its screens bind their own file. */
export const contract = { auth, servers, owners, plans, websites, workflows }
