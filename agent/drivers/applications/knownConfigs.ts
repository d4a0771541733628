/** Where a known application configures its database. */
interface Known {
  application: string
  files: readonly string[]
  name: RegExp
  user: RegExp
  password: RegExp
}
export interface Replacement {
  was: string
  /** Only where the file names this account. */
  wasUser?: string | undefined
  name: string
  user: string
  password: string
}

/* Parts of each pattern: the text before the value, the opening quote (or nothing), the value, the closing quote. */
const value = `(['"])((?:\\\\.|(?!\\2)[^\\\\])*)\\2`
const defined = (name: string) => new RegExp(`(define\\s*\\(\\s*['"]${name}['"]\\s*,\\s*)${value}`)
const property = (name: string) => new RegExp(`(\\$${name}\\s*=\\s*)${value}`)
const entry = (name: string) => new RegExp(`(['"]${name}['"]\\s*=>\\s*)${value}`)
const setting = (name: string) =>
  new RegExp(
    `(^[ \\t]*${name}[ \\t]*=[ \\t]*)(["']?)((?:[^"'\\r\\n# \\t]|[ \\t]+(?=[^\\r\\n# \\t]))*)\\2(?=[ \\t]*(?:#|\\r?$))`,
    'm',
  )

/** Files of Laravel, Symfony and others, also those for production only. Symfony compiles them into `.env.local.php`. */
const dotEnv = [
  ...['.env', '.env.local', '.env.prod', '.env.prod.local', '.env.production', '.env.production.local'],
  '.env.local.php',
]

const known: readonly Known[] = [
  { application: 'WordPress', files: ['wp-config.php'], ...with_(defined, 'DB_NAME', 'DB_USER', 'DB_PASSWORD') },
  { application: 'Joomla', files: ['configuration.php'], ...with_(property, 'db', 'user', 'password') },
  { application: 'phpBB', files: ['config.php'], ...with_(property, 'dbname', 'dbuser', 'dbpasswd') },
  {
    application: 'MediaWiki',
    files: ['LocalSettings.php'],
    ...with_(property, 'wgDBname', 'wgDBuser', 'wgDBpassword'),
  },
  {
    application: 'Drupal',
    files: ['settings.php', 'settings.local.php'],
    ...with_(entry, 'database', 'username', 'password'),
  },
  { application: 'Magento', files: ['env.php'], ...with_(entry, 'dbname', 'username', 'password') },
  { application: 'Nextcloud', files: ['config.php'], ...with_(entry, 'dbname', 'dbuser', 'dbpassword') },
  {
    application: 'TYPO3',
    files: ['settings.php', 'LocalConfiguration.php'],
    ...with_(entry, 'dbname', 'user', 'password'),
  },
  {
    application: 'PrestaShop',
    files: ['parameters.php'],
    ...with_(entry, 'database_name', 'database_user', 'database_password'),
  },
  { application: '.env', files: dotEnv, ...with_(setting, 'DB_DATABASE', 'DB_USERNAME', 'DB_PASSWORD') },
  { application: '.env', files: dotEnv, ...with_(setting, 'DB_NAME', 'DB_USER', 'DB_PASSWORD') },
  { application: '.env', files: dotEnv, ...with_(setting, 'PGDATABASE', 'PGUSER', 'PGPASSWORD') },
  { application: '.env', files: dotEnv, ...with_(setting, 'POSTGRES_DB', 'POSTGRES_USER', 'POSTGRES_PASSWORD') },
  { application: '.env', files: dotEnv, ...with_(setting, 'MYSQL_DATABASE', 'MYSQL_USER', 'MYSQL_PASSWORD') },
]

function with_(how: (name: string) => RegExp, name: string, user: string, password: string) {
  return { name: how(name), user: how(user), password: how(password) }
}

/** The value of a constant, or of a variable, in a PHP file. */
export const phpValue = (text: string, name: string): string | undefined =>
  (name.startsWith('$') ? property(name.slice(1)) : defined(name)).exec(text)?.[3]

/** The file names to search for. */
export const knownFiles: string[] = [...new Set(known.flatMap(({ files }) => files))]

/** Whether a path, relative to the website's folder, is one of these files. */
export const isConfig = (path: string): boolean =>
  knownFiles.includes(path.slice(path.lastIndexOf('/') + 1)) && path.split('/').length <= 5

/**
 * Replaces the database in a configuration file and answers which application the file belongs to; undefined if no
 * pattern finds a database of the list. An allow-list has checked the new values: no character is special in any of
 * these files.
 */
export function adapted(
  file: string,
  text: string,
  replacements: readonly Replacement[],
): { text: string; application: string; was: string } | undefined {
  if (dotEnv.includes(file)) {
    const url = adaptedUrl(text, replacements)
    // Laravel has both forms in one file
    if (url) return { application: '.env', ...url, text: adaptedIn(file, url.text, replacements)?.text ?? url.text }
  }
  return adaptedIn(file, text, replacements)
}

function adaptedIn(file: string, text: string, replacements: readonly Replacement[]): ReturnType<typeof adapted> {
  for (const { application, files, ...patterns } of known) {
    if (!files.includes(file)) continue
    const was = patterns.name.exec(text)?.[3]
    const user = patterns.user.exec(text)?.[3]
    const found = replacements.find((one) => one.was === was && (!one.wasUser || one.wasUser === user))
    if (!found || user === undefined || !patterns.password.test(text)) continue
    const put = (old: string, pattern: RegExp, to: string) =>
      old.replace(pattern, (_, head: string, quote: string) => `${head}${quote}${to}${quote}`)
    const made = put(put(text, patterns.name, found.name), patterns.user, found.user)
    const isKnown = !isHash(found.password)
    return { text: isKnown ? put(made, patterns.password, found.password) : made, application, was: found.was }
  }
  return undefined
}

/** Of an account that came with an archive nobody knows the password: the one in the files stays. */
const isHash = (password: string) => password.startsWith('*')

/** `DATABASE_URL="mysql://shop:word@localhost:3306/shop?…"`; in PHP `'DATABASE_URL' => 'mysql://…'`. */
function adaptedUrl(text: string, replacements: readonly Replacement[]) {
  const pattern =
    /((?:^[ \t]*|['"])(?:DATABASE|DB)_URL(?:[ \t]*=[ \t]*["']?|['"]\s*=>\s*['"])(?:mysql[2i]?|mariadb|pdo[-_]mysql|pdo[-_]pgsql|postgres(?:ql)?|pgsql):\/\/)([^:@/\s]+):([^@/\s]*)(@[^/\s]*\/)([A-Za-z0-9_]+)/m
  const [, , user, , , was] = pattern.exec(text) ?? []
  const found = replacements.find((one) => one.was === was && (!one.wasUser || one.wasUser === user))
  if (!found) return undefined
  const made = text.replace(
    pattern,
    (_, head: string, __: string, password: string, at: string) =>
      `${head}${found.user}:${isHash(found.password) ? password : found.password}${at}${found.name}`,
  )
  return { text: made, was: found.was }
}
