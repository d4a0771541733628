import { PASSWORD_MIN, password as rule, weakness } from '@innkeeper/contract/kit/passwords'
import { Button, CopyButton, Group, PasswordInput, type PasswordInputProps, Text } from '@mantine/core'
import { useState } from 'react'
import { makePassword } from './makePassword.ts'
import { WRONG } from './useTyped.ts'

interface Props extends Omit<PasswordInputProps, 'value' | 'onChange' | 'onBlur'> {
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  /** The person's names and addresses, which the password must not contain. */
  words?: readonly string[]
  /** Whether the field offers to generate a password; false for a person's own. */
  makes?: boolean
}

/** A new password, typed or generated. A generated password stays visible until somebody copies it. */
export function PasswordField({ value, onChange, onBlur, words = [], makes = true, error, ...rest }: Props) {
  const [made, setMade] = useState('')
  const [shown, setShown] = useState(false)
  const [copied, setCopied] = useState(false)
  const isMade = made !== '' && made === value
  const weak = wrongWith(value, words)
  const isLong = value.length >= PASSWORD_MIN
  const make = () => {
    const next = makePassword()
    setMade(next)
    setShown(true)
    setCopied(false)
    onChange(next)
  }
  return (
    <div>
      <PasswordInput
        autoComplete="new-password"
        description={`${PASSWORD_MIN} characters or more; a sentence is welcome`}
        styles={isMade ? { innerInput: { fontFamily: 'var(--mantine-font-family-monospace)' } } : {}}
        {...rest}
        {...{ [WRONG]: (value !== '' && weak !== undefined) || undefined }}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onBlur}
        visible={shown}
        onVisibilityChange={setShown}
        visibilityToggleButtonProps={{ 'aria-label': shown ? 'Hide password' : 'Show password' }}
        error={error ?? (isLong ? weak : undefined)}
      />
      {makes && (
        <Group gap={8} mt={6} mih={26}>
          <Button size="xs" variant="default" onClick={make}>
            Make password
          </Button>
          {isMade && !copied && (
            <CopyButton value={made}>
              {({ copy }) => (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => {
                    copy()
                    setCopied(true)
                    setShown(false)
                  }}
                >
                  Copy once
                </Button>
              )}
            </CopyButton>
          )}
          <Text c="dimmed" fz="xs" role="status">
            {isMade && (copied ? 'Copied. Send it in a way that others cannot read.' : 'Shown until you copy it.')}
          </Text>
        </Group>
      )}
    </div>
  )
}

/** Error message of the contract for a new password. */
function wrongWith(text: string, words: readonly string[]): string | undefined {
  const result = rule.safeParse(text)
  return result.success ? weakness(text, [...words, 'innkeeper']) : result.error.issues[0]?.message
}
