import { IconWorld } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { websitesApi } from './api.ts'
import type { Tab } from './page/section.ts'

/** Menu item that opens the page of the website to which an object belongs. */
export function ItsWebsite({ id, tab }: { id: number; tab?: Tab }) {
  const reason = useReason()(websitesApi.one)
  const navigate = useNavigate()
  return (
    <MenuAction
      label="Its website"
      icon={<IconWorld size={15} />}
      reason={reason}
      onClick={() =>
        void navigate({ to: '/websites/$id', params: { id: String(id) }, ...(tab && { search: { tab } }) })
      }
    />
  )
}
