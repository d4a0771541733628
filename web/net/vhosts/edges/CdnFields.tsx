import { cookieName } from '@innkeeper/contract/net/edgeRules/parts'
import type { EdgeRules } from '@innkeeper/contract/net/edgeRules/rules'
import { Switch, TextInput } from '@mantine/core'
import { TagsInputField } from '../../../kit/form/TagsInputField.tsx'
import type { FieldProps } from '../../../kit/form/useCallForm.ts'

interface Props {
  minutes: FieldProps<number | string>
  stale: FieldProps<boolean>
  rules: FieldProps<Pick<EdgeRules, 'cookies'>>
  /** Refusals of the server, by `rules.cookies.0`. */
  refused: Record<string, string>
}

/** Cookies of statistics and advertising, which only scripts in the browser read. */
const common = ['_ga', '_ga_*', '_gid', '_gat*', '_gcl_*', '_fbp', '_pk_*', '_hj*', '_clck', '_clsk']

export const CdnFields = ({ minutes, stale, rules, refused }: Props) => (
  <>
    <TextInput
      label="Keep pages for"
      description="Minutes, for pages without a time from the website; at most 30 days"
      inputMode="numeric"
      rightSection="min"
      rightSectionPointerEvents="none"
      value={String(minutes.value)}
      onChange={(event) => minutes.onChange(event.currentTarget.value)}
      onBlur={minutes.onBlur}
      error={minutes.error}
    />
    <Switch
      label="Go on showing pages while the website’s server fails"
      description="Cached pages are shown until that server answers again"
      checked={stale.value}
      onChange={(event) => stale.onChange(event.currentTarget.checked)}
    />
    <TagsInputField
      label="Cookies that change no page"
      description="Visitors with any other cookie get their own pages, which are not cached; without any here, so does everybody with a cookie. _ga_* means all that begin with _ga_"
      placeholder={rules.value.cookies.length ? undefined : 'None'}
      data={common}
      maxTags={50}
      splitChars={[',', ' ', ';']}
      value={rules.value.cookies}
      onChange={(cookies) => rules.onChange({ ...rules.value, cookies })}
      onBlur={rules.onBlur}
      error={refusedIn(refused, 'cookies') ?? wrongCookie(rules.value.cookies)}
    />
  </>
)

function wrongCookie(cookies: readonly string[]): string | undefined {
  for (const cookie of cookies) {
    const { error } = cookieName.safeParse(cookie)
    if (error) return `${cookie}: ${error.issues[0]?.message}`
  }
}

/** The server's errors for one rule. */
const refusedIn = (refused: Record<string, string>, rule: keyof EdgeRules) =>
  Object.entries(refused).find(([key]) => key.startsWith(`rules.${rule}`))?.[1]
