import type { Good } from '../../../test/hostile/good.ts'

export const workflows: Good<'workflows'> = {
  update: ({ row }) => {
    const { workflow_id: id, action_id: action } = row('actions', { name: 'php-pool.ensure', status: 'failed' })
    return { id: Number(id), action: Number(action), actionType: 'retry' }
  },
}
