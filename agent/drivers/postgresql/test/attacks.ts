/** A function that a website makes for everybody. It runs as its owner, who may write. */
export const website = `create function sweep() returns int security definer language sql as $$ delete from posts returning 1 $$;
  grant execute on function sweep() to public`

/** Statements of the console that would write, read files, become somebody else or talk to psql. All have to fail. */
export const attacks = [
  'explain analyze delete from posts',
  'with gone as (delete from posts returning *) select * from gone',
  'select sweep()',
  'explain analyze select sweep()',
  'do $$ begin commit; delete from posts; end $$',
  `select set_config('transaction_read_only', 'off', true)`,
  `select query_to_xml('delete from posts returning 1', true, true, '')`,
  `copy (select 1) to program 'touch /tmp/out'`,
  `copy posts from program 'cat /etc/passwd'`,
  `copy (select 1) to '/tmp/out'`,
  `select pg_read_file('/etc/passwd')`,
  `select lo_import('/etc/passwd')`,
  `select pg_ls_dir('/')`,
  'set role postgres',
  'set session authorization postgres',
  'alter system set log_statement = $$none$$',
  'create temporary table t as select 1',
  'select 1 \\g /tmp/out',
  'select 1 \\gexec',
] as const
