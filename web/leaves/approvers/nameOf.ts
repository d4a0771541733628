import type { LeaveApprovers } from '@innkeeper/contract/leaves'

export const nameOf = ({ departmentId, departmentName }: LeaveApprovers): string =>
  departmentId === null ? 'By default' : (departmentName ?? '')
