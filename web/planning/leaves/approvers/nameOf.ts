import type { LeaveApprovers } from '@innkeeper/contract/planning/leaves/calls'

export const nameOf = ({ departmentId, departmentName }: LeaveApprovers): string =>
  departmentId === null ? 'By default' : (departmentName ?? '')
