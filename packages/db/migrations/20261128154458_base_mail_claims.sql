-- Workers book turns at several places in one claim, each in the order of its mails: two at once could wait for each other's places in a circle.
do $$
declare source text := pg_get_functiondef('app.claim_mail(int, interval, int, int)'::regprocedure);
begin
  if position('  -- What a worker had claimed' in source) = 0 then raise exception 'app.claim_mail does not say what it did'; end if;
  execute replace(source, '  -- What a worker had claimed', '  -- One claim at a time, since two could wait for each other''s turns in a circle.
  perform pg_advisory_xact_lock(hashtextextended(''claim_mail'', 0));
  -- What a worker had claimed');
end $$;
