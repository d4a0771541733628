import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ComponentProps } from 'react'

type Props = Omit<ButtonProps, 'disabled'> &
  Pick<ComponentProps<'button'>, 'type' | 'aria-label'> & {
    /** Why the button is disabled: what has to be done first, or which permission is missing. */
    reason?: string | undefined
    onClick?: () => void
    'data-autofocus'?: boolean
  }

/**
 * A button that explains why it is disabled. It stays in the tab order, so that keyboards reach the reason. A form is not
 * sent by it either: Enter in a field clicks it.
 */
export function ActButton({ reason, onClick, ...props }: Props) {
  if (!reason) return <Button {...props} onClick={onClick} />
  return (
    <Tooltip label={reason}>
      <Button {...props} data-disabled aria-disabled onClick={(event) => event.preventDefault()} />
    </Tooltip>
  )
}
