import type { Access } from '@innkeeper/contract/kit/access'
import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import { IconPlus } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { useReason } from '../access/reasons.ts'
import { LinkButton } from '../frame/LinkTo.tsx'
import { ActButton } from '../look/ActButton.tsx'

interface Props {
  /** The call of the form. */
  call: { endpoint: Endpoint } | Access
  to: ComponentProps<typeof LinkButton>['to']
  /** "Create website" */
  children: string
}

/** Links from a list to the form of a new row, by click and by the key C; disabled with the reason without permission. */
export function CreateButton({ call, to, children }: Props) {
  const reason = useReason()(call)
  const icon = <IconPlus size={15} />
  if (reason)
    return (
      <ActButton reason={reason} leftSection={icon}>
        {children}
      </ActButton>
    )
  return (
    <LinkButton to={to} leftSection={icon} data-create>
      {children}
    </LinkButton>
  )
}
