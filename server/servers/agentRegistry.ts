import type { AgentRegistry } from '../kit/agents/door.ts'
import { enrol, isGoodToken, serverOf } from './enrolment.ts'
import { recordHeartbeat } from './heartbeat.ts'

/** Agents that the door lets in are those of our servers. */
export const agentRegistry: AgentRegistry = { enrol, isGoodToken, serverOf, recordHeartbeat }
