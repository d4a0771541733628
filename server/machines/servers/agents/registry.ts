import type { AgentRegistry } from '../../../kit/agents/door.ts'
import { enrol, isGoodToken, serverOf } from '../enrolment/enrolment.ts'
import { recordHeartbeat } from './heartbeat.ts'

/** The functions with which the agent API checks and records the agents of managed servers. */
export const agentRegistry: AgentRegistry = { enrol, isGoodToken, serverOf, recordHeartbeat }
