import type { CheckSettings } from '@innkeeper/contract/quality/qc/checks'
import { type Heard, type Judgement, messagesOf, none, type Place, type Said, without } from './speech.ts'

/** Digits in groups, as people write card numbers. */
const digits = /\d[\d -]{11,40}\d/g
/** First digits and lengths of the issuers. */
const issued =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-59]|[68]\d)\d{11}|6(?:011|4[4-9]\d|5\d\d|2\d\d)\d{12,15})$/

/** The check digit of card numbers. */
function isLuhn(number: string): boolean {
  let sum = 0
  for (let n = 0; n < number.length; n++) {
    const digit = Number(number[number.length - 1 - n])
    sum += n % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)
  }
  return sum % 10 === 0
}

function cardsIn({ id, body }: Said): Place[] {
  const found: Place[] = []
  for (const match of body.matchAll(digits)) {
    const number = match[0].replace(/[ -]/g, '')
    const isCard = issued.test(number) && isLuhn(number)
    // 0000 0000 0000 0000 has a valid check digit
    if (isCard && !/^(\d)\1+$/.test(number))
      found.push({ messageId: id, from: match.index, to: match.index + match[0].length })
  }
  return found
}

/** Words before a password in the languages of staff and customers; what follows is the password. */
const label =
  /(?<![\p{L}\p{N}/?&=_-])(?:passwords?|passwd|pwd?|pw|passcode|passwort|kennwort|passord(?:et)?(?: mitt)?|lösenord(?:et)?|adgangskoden?|wachtwoord|contraseña|mot de passe|пароль|hasło)(?: (?:ist|is|er|är|est|es))?\s?[:=]?\s?/giu
const isEnd = /\s/u
/** Signs after a word that are not part of a password. */
const closing = '.,;)"\'?!'

const isAddress = /^https?:|@[a-z0-9-]{1,60}\.[a-z]{2,20}$/i
/** A word that nobody says by accident: letters with digits or signs inside, as passwords have. */
const isSecret = (word: string) =>
  word.length >= 6 &&
  word.length <= 100 &&
  /\p{L}/u.test(word) &&
  /[\d!#$%&*+=?@^_~]/.test(word) &&
  !isAddress.test(word)

function passwordsIn({ id, body }: Said): Place[] {
  const found: Place[] = []
  for (const match of body.matchAll(label)) {
    const from = match.index + match[0].length
    let to = from
    while (to < body.length && to - from <= 100 && !isEnd.test(body[to] ?? ' ')) to++
    while (to > from && closing.includes(body[to - 1] ?? ' ')) to--
    const word = body.slice(from, to)
    if (isSecret(word)) found.push({ messageId: id, from, to: from + word.length })
  }
  for (const match of body.matchAll(keys))
    found.push({ messageId: id, from: match.index, to: match.index + match[0].length })
  return found
}

/** Keys of programs that are recognised by their prefix. */
const keys =
  /\b(?:sk_live_|rk_live_|ghp_|gho_|glpat-|xox[bp]-|AKIA|SG\.)[\w.-]{12,200}|-----BEGIN (?:[A-Z]{2,12} ){0,2}PRIVATE KEY-----/g

/** Card numbers and passwords in the open. The result has their places, never their digits. */
export function secrets({ who }: Pick<CheckSettings, 'who'>, heard: Heard): Judgement {
  const said = messagesOf(heard, who)
  return said.length ? without(said.flatMap((one) => [...cardsIn(one), ...passwordsIn(one)])) : none
}

const link = /https?:\/\/[^\s<>"')\]]{1,2000}/gi

/** Links to hosts that are not listed. */
export function links({ who, hosts }: Pick<CheckSettings, 'who' | 'hosts'>, heard: Heard): Judgement {
  const said = messagesOf(heard, who)
  const known = hosts.map((host) => host.toLowerCase())
  const isKnown = (url: string) => {
    const host = URL.parse(url)?.hostname ?? ''
    return known.some((one) => host === one || host.endsWith(`.${one}`))
  }
  const foreign = said.flatMap(({ id, body }) =>
    [...body.matchAll(link)].flatMap(({ 0: url, index }) =>
      isKnown(url) ? [] : [{ messageId: id, from: index, to: index + url.length }],
    ),
  )
  return said.length ? without(foreign) : none
}
