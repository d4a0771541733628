import type { AgentRegistry } from '../../kit/agents/door.ts'
import { enrol, isGoodToken, serverOf } from '../enrolment/enrolment.ts'
import { recordHeartbeat } from './heartbeat.ts'

/** Lets the agents' door accept the agents of our servers. */
export const agentRegistry: AgentRegistry = { enrol, isGoodToken, serverOf, recordHeartbeat }
