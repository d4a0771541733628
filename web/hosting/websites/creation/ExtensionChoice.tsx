import { moduleOf } from '@innkeeper/contract/net/originVhosts/shapes'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { originVhostsApi } from '../../../net/vhosts/api.ts'
import { type Choice, ExtensionFields } from '../ExtensionFields.tsx'

interface Props {
  serverId: number | undefined
  /** Empty until a plan is chosen. */
  phpVersion: string
  value: Choice
  onChange: (value: Choice) => void
  error: string | undefined
}

/** Chooses the PHP extensions of a new website; closed, the website loads those of its server. */
export function ExtensionChoice({ serverId, phpVersion, value, onChange, error }: Props) {
  const [isOpen, setOpen] = useState(false)
  const lacking = useReason()
  const isPlaced = serverId !== undefined && phpVersion !== ''
  const phpModule = moduleOf(phpVersion)
  const here = useQuery({
    ...originVhostsApi.serverExtensions.query({ id: serverId ?? 0, phpModule }),
    enabled: isOpen && isPlaced,
    retry: false,
  })
  const reason = lacking('vhost:origin:php') ?? lacking(originVhostsApi.serverExtensions)
  const hint = isPlaced ? 'Otherwise the website loads those that its server turns on' : 'Choose server and plan first'
  const turn = (open: boolean) => {
    setOpen(open)
    if (!open) onChange({ extensionsOn: [], extensionsOff: [] })
  }
  return (
    <>
      <Checkbox
        label="With PHP extensions of its own choice"
        description={reason ?? hint}
        disabled={reason !== undefined || !isPlaced}
        checked={isOpen}
        onChange={(event) => turn(event.currentTarget.checked)}
      />
      {isOpen && isPlaced && (
        <ExtensionFields
          phpModule={phpModule}
          here={here.data?.extensions}
          failed={here.error?.message}
          value={value}
          onChange={onChange}
          error={error}
        />
      )}
    </>
  )
}
