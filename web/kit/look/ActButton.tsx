import { Button, type ButtonProps, Tooltip } from '@mantine/core'

type Props = ButtonProps & {
  /** Why the button is disabled. */
  reason?: string
  onClick?: () => void
  'aria-label'?: string
}

/** A button that explains why it is disabled. It stays in the tab order, so that keyboards reach the reason. */
export function ActButton({ reason, onClick, ...props }: Props) {
  if (!reason) return <Button {...props} onClick={onClick} />
  return (
    <Tooltip label={reason}>
      <Button {...props} data-disabled aria-disabled onClick={(event) => event.preventDefault()} />
    </Tooltip>
  )
}
