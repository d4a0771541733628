import * as z from 'zod'
import { csv, del, filter, get, id, line, listQuery, pageOf, patch, post, version, whole } from '../../kit/endpoint.ts'
import { day, flag, prose } from '../qc/values.ts'
import { ChartTeam, Membership, Position, Team } from './shapes.ts'

export const base = '/dossier-controller'
export const search = filter(z.string().trim().max(100))
/** Row that replaces the deleted one wherever it is used. */
const replacementId = id.optional()

export const userFields = { startedOn: day.nullable().optional(), about: prose(1000).optional() }

const positionFields = {
  name: line(80),
  description: prose(500).optional(),
  level: whole(0, 100).optional(),
  positionId: id.nullable().optional(),
}
export const positionCalls = {
  positions: get(`${base}/positions`, 'dossier:position:read', {
    summary: 'Positions',
    query: { ...listQuery(['level', 'name', 'createdAt'], 50), search },
    returns: pageOf(Position),
  }),
  position: get(`${base}/positions/:id`, 'dossier:position:read', { summary: 'One position', returns: Position }),
  createPosition: post(`${base}/positions`, 'dossier:position:create', {
    summary: 'Create a position',
    body: positionFields,
    returns: Position,
  }),
  updatePosition: patch(`${base}/positions/:id`, 'dossier:position:update', {
    summary: 'Change a position',
    body: { ...positionFields, name: positionFields.name.optional(), version },
    returns: Position,
  }),
  removePosition: del(`${base}/positions/:id`, 'dossier:position:delete', {
    summary: 'Delete a position. One in use needs a replacement',
    body: { version, replacementId },
    status: 204,
  }),
}

const teamFields = {
  name: line(80),
  description: prose(500).optional(),
  managerId: id.nullable().optional(),
  departmentId: id.nullable().optional(),
  parentId: id.nullable().optional(),
}
export const teamCalls = {
  teams: get(`${base}/teams`, 'dossier:team:read', {
    summary: 'Teams',
    query: {
      ...listQuery(['name', 'createdAt'], 50),
      search,
      managerId: filter(csv(id)),
      departmentId: filter(csv(id)),
    },
    returns: pageOf(Team),
  }),
  team: get(`${base}/teams/:id`, 'dossier:team:read', { summary: 'One team', returns: Team }),
  createTeam: post(`${base}/teams`, 'dossier:team:create', {
    summary: 'Create a team',
    body: teamFields,
    returns: Team,
  }),
  updateTeam: patch(`${base}/teams/:id`, 'dossier:team:update', {
    summary: 'Change a team. A new manager reads earlier entries only if whoever appoints them may read these',
    body: { ...teamFields, name: teamFields.name.optional(), version },
    returns: Team,
  }),
  removeTeam: del(`${base}/teams/:id`, 'dossier:team:delete', {
    summary: 'Delete a team. One in use needs a replacement, which takes over members and teams below',
    body: { version, replacementId },
    status: 204,
  }),
  chart: get(`${base}/chart`, ['dossier:team:read', 'dossier:membership:read'], {
    summary: 'Teams and their members on a day',
    query: { date: filter(day) },
    returns: z.object({ date: day, teams: z.array(ChartTeam) }),
  }),
}

const membershipFields = {
  teamId: id,
  positionId: id.nullable().optional(),
  from: day,
  to: day.nullable().optional(),
  isAdditional: flag.optional(),
}
export const membershipCalls = {
  memberships: get(`${base}/memberships`, 'dossier:membership:read', {
    summary: 'Memberships of people in teams',
    query: {
      ...listQuery(['from', 'createdAt']),
      search,
      userId: filter(csv(id)),
      teamId: filter(csv(id)),
      positionId: filter(csv(id)),
      /** Memberships that are valid on this day. */
      date: filter(day),
    },
    returns: pageOf(Membership),
  }),
  membership: get(`${base}/memberships/:id`, 'dossier:membership:read', {
    summary: 'One membership',
    returns: Membership,
  }),
  createMembership: post(`${base}/memberships`, 'dossier:membership:create', {
    summary: 'Add a person to a team. `endsPrevious` ends the previous main membership on the day before',
    body: { userId: id, ...membershipFields, endsPrevious: flag.optional() },
    returns: Membership,
  }),
  updateMembership: patch(`${base}/memberships/:id`, 'dossier:membership:update', {
    summary: 'Change a membership',
    body: { ...membershipFields, teamId: id.optional(), from: day.optional(), version },
    returns: Membership,
  }),
  moveMembership: post(`${base}/memberships/:id/move`, 'dossier:membership:update', {
    summary: 'Move a person to another team from a day on. Position, last day and kind of the membership stay',
    body: { teamId: id, from: day, version },
    status: 200,
    returns: Membership,
  }),
  removeMembership: del(`${base}/memberships/:id`, 'dossier:membership:delete', {
    summary: 'Delete a mistaken membership. To end a membership, set its last day',
    body: { version },
    status: 204,
  }),
}
