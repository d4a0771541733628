import { id, line, post } from '../../kit/endpoint.ts'
import { ChangedLeaves } from '../leaves/changedLeaves.ts'
import { automationChange, automationFields, pattern, publication, settingsChange, typeChange } from './inputs.ts'
import { shiftDay } from './values.ts'

const base = '/calendar/shifts'

/** Previews of the leaves that a change of the roster charges anew. Who then changes the roster confirms their ids. */
export const leaveCalls = {
  publishLeaves: post(`${base}/publish/leaves`, 'calendar:shift:create', {
    summary: 'Preview the leaves that a publication charges anew',
    effect: 'read',
    status: 200,
    body: publication,
    returns: ChangedLeaves,
  }),
  undoLeaves: post(`${base}/batches/:id/undo/leaves`, 'calendar:shift:create', {
    summary: 'Preview the leaves that an undo charges anew',
    effect: 'read',
    params: { id },
    status: 200,
    returns: ChangedLeaves,
  }),
  typeLeaves: post(`${base}/type/:id/leaves`, 'calendar:shift-type:update', {
    summary: 'Preview the leaves that a changed shift type charges anew',
    effect: 'read',
    params: { id },
    status: 200,
    body: typeChange,
    returns: ChangedLeaves,
  }),
  settingsLeaves: post(`${base}/settings/leaves`, 'calendar:shift-type:update', {
    summary: 'Preview the leaves that changed settings charge anew',
    effect: 'read',
    status: 200,
    body: settingsChange,
    returns: ChangedLeaves,
  }),
  newAutomationLeaves: post(`${base}/automations/leaves`, 'calendar:shift-automation:create', {
    summary: 'Preview the leaves that a new automation charges anew',
    effect: 'read',
    status: 200,
    body: { ...automationFields, name: line(80), pattern, startDate: shiftDay },
    returns: ChangedLeaves,
  }),
  automationLeaves: post(`${base}/automations/id/:id/leaves`, 'calendar:shift-automation:update', {
    summary: 'Preview the leaves that a changed automation charges anew',
    effect: 'read',
    params: { id },
    status: 200,
    body: automationChange,
    returns: ChangedLeaves,
  }),
  automationRemovalLeaves: post(`${base}/automations/id/:id/removal/leaves`, 'calendar:shift-automation:delete', {
    summary: 'Preview the leaves that the removal of an automation and of its shifts charges anew',
    effect: 'read',
    params: { id },
    status: 200,
    returns: ChangedLeaves,
  }),
}
