import { Button, type ButtonProps, Tooltip } from '@mantine/core'

type Props = ButtonProps & {
  /** Why it cannot be used. */
  reason?: string
  onClick?: () => void
  'aria-label'?: string
}

/** A button that says why it cannot be used, and stays in the tab order so that the reason can be reached. */
export function ActButton({ reason, onClick, ...props }: Props) {
  if (!reason) return <Button {...props} onClick={onClick} />
  return (
    <Tooltip label={reason}>
      <Button {...props} data-disabled aria-disabled onClick={(event) => event.preventDefault()} />
    </Tooltip>
  )
}
