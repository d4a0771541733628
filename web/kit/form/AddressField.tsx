import { address, network } from '@innkeeper/contract/kit/values'
import { TextInput } from '@mantine/core'
import type { TypedProps } from './PickerInput.tsx'
import { useTyped, WRONG } from './useTyped.ts'

interface Props extends TypedProps {
  /** `address`: one host. `network`: one host, or a range such as `10.0.0.0/8`. */
  takes?: 'address' | 'network'
}

const kinds = {
  address: { schema: address, example: '192.0.2.1', wrong: 'An IP address, such as 192.0.2.1 or 2001:db8::1' },
  network: {
    schema: network,
    example: '10.0.0.0/8',
    wrong: 'An address or a network, such as 192.0.2.1 or 10.0.0.0/8',
  },
}

/** An IP address or network, validated by the contract and written in canonical form on blur. */
export function AddressField({ value, onChange, onBlur, takes = 'address', error, ...rest }: Props) {
  const { schema, example, wrong } = kinds[takes]
  const typed = useTyped({
    value,
    onChange,
    onBlur,
    write: (text) => text,
    read: (text) => schema.safeParse(text.trim()).data,
  })
  return (
    <TextInput
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder={`Such as ${example}`}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      {...rest}
      {...typed.input}
      {...{ [WRONG]: typed.isUnread || undefined }}
      error={typed.isWrong ? wrong : error}
    />
  )
}
