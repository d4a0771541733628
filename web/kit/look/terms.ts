interface Meaning {
  /** What the word means here, in a sentence. */
  says: string
  /** Where the standard or the program explains it at length. */
  more: string
}

const rfc = (number: number) => `https://www.rfc-editor.org/rfc/rfc${number}`
const restic = (page: string) => `https://restic.readthedocs.io/en/stable/${page}.html`

/** Words of the trade that stand as labels, and what they mean. A title or a label of this name explains itself. */
const terms = new Map<string, Meaning>(
  Object.entries({
    DNSSEC: {
      says: 'Signatures of a zone’s records: resolvers refuse answers that somebody forged. The parent zone publishes the key.',
      more: rfc(9364),
    },
    'Name servers': {
      says: 'The servers that answer for a zone. The registrar of the domain has to name the same ones.',
      more: rfc(1034),
    },
    TTL: {
      says: 'Seconds for which resolvers keep a record. A change reaches everybody after the former TTL.',
      more: rfc(2181),
    },
    HSTS: {
      says: 'Browsers that saw it open this website by https only, until the time is over. It cannot be called back.',
      more: rfc(6797),
    },
    Chain: {
      says: 'The certificates between this one and an authority that browsers know.',
      more: rfc(5280),
    },
    Wildcard: {
      says: 'A certificate for every name one level below the domain, such as *.example.org.',
      more: rfc(9525),
    },
    Collation: {
      says: 'The rules by which the database sorts and compares texts.',
      more: 'https://mariadb.com/kb/en/character-sets/',
    },
    'Document root': {
      says: 'The folder whose files visitors can open.',
      more: 'https://nginx.org/en/docs/http/ngx_http_core_module.html#root',
    },
    SCIM: {
      says: 'Your identity provider creates, changes and locks the accounts here by itself.',
      more: rfc(7644),
    },
    'Second factor': {
      says: 'A code of an app or a passkey, asked beside the password: a stolen password alone opens nothing.',
      more: rfc(6238),
    },
    Repositories: {
      says: 'Encrypted stores of backups. Equal contents are stored once.',
      more: restic('030_preparing_a_new_repo'),
    },
    Policy: {
      says: 'How many backups of each day, week and month stay. Forget removes the others.',
      more: restic('060_forget'),
    },
    Prunes: {
      says: 'Removes contents that no backup needs any more: only this frees space.',
      more: restic('060_forget'),
    },
    'IP set': {
      says: 'A list of addresses that the firewall of the servers refuses.',
      more: 'https://wiki.nftables.org/wiki-nftables/index.php/Sets',
    },
  }),
)

export const meaningOf = (word: string): Meaning | undefined => terms.get(word)
export const words = [...terms.keys()]
