-- Opens a template in Neovim with the server, as a user does, and checks what the editor shows.
--
--   nvim --headless --clean -l … is newer than the Neovim of Debian 12, so the script is run by `-c luafile`.
--
-- Environment: INLAY is the program, FOLDER a folder with a template and a kustomization (tests/editors.rs).

local failures = {}

local function check(condition, what)
  if not condition then
    table.insert(failures, what)
  end
end

local function diagnostics()
  return vim.diagnostic.get(0)
end

local function ask(method, line, character, more)
  local parameters = {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    position = { line = line, character = character },
  }
  for key, value in pairs(more or {}) do
    parameters[key] = value
  end
  local answers = vim.lsp.buf_request_sync(0, method, parameters, 20000) or {}
  for _, answer in pairs(answers) do
    return answer.result
  end
end

--- Returns the labels that completion offers at a place.
local function completed(line, character)
  local answer = ask('textDocument/completion', line, character) or { items = {} }
  local labels = {}
  for _, item in ipairs(answer.items) do table.insert(labels, item.label) end
  return labels
end

--- Returns the references of a place as `file:line`.
local function places(line, character)
  local more = { context = { includeDeclaration = true } }
  local found = {}
  for _, place in ipairs(ask('textDocument/references', line, character, more) or {}) do
    table.insert(found, vim.fn.fnamemodify(vim.uri_to_fname(place.uri), ':t') .. ':' .. place.range.start.line)
  end
  return found
end

local function run()
  local folder = os.getenv('FOLDER')
  vim.cmd('edit ' .. folder .. '/app.yml')
  local client = vim.lsp.start_client({
    name = 'inlay',
    cmd = { os.getenv('INLAY'), 'lsp' },
    root_dir = folder,
  })
  vim.lsp.buf_attach_client(0, client)

  -- The mistake is shown at its place.
  check(vim.wait(20000, function() return #diagnostics() > 0 end, 20), 'a diagnostic appears')
  local first = diagnostics()[1] or { message = '', lnum = -1 }
  check(first.lnum == 4, 'it is on the line of the mistake: ' .. first.lnum)
  check(first.message:find('replica', 1, true) ~= nil, 'it names the mistake: ' .. first.message)

  -- It disappears when the text is corrected.
  vim.api.nvim_buf_set_lines(0, 4, 5, true, { '  replicas: #@ data.values.replicas' })
  check(vim.wait(20000, function() return #diagnostics() == 0 end, 20), 'the diagnostic disappears')

  local completions = ask('textDocument/completion', 4, 28) or { items = {} }
  check((completions.items[1] or {}).label == 'replicas', 'data values are completed')

  local hover = ask('textDocument/hover', 4, 30)
  check(hover ~= nil and hover.contents.value:find('an integer', 1, true) ~= nil, 'hover shows the type')

  local definition = ask('textDocument/definition', 4, 30)
  check(definition ~= nil and definition.uri:find('schema.yml', 1, true) ~= nil, 'the definition is in the schema')

  -- A kustomization: a path below a string is completed, a selector leads to its object.
  vim.cmd('edit ' .. folder .. '/edits/kustomization.yaml')
  vim.lsp.buf_attach_client(0, client)
  check(vim.wait(20000, function() return #diagnostics() > 0 end, 20), 'the path that leads nowhere is a mistake')
  local labels = completed(11, 44)
  check(vim.deep_equal(labels, { 'host', 'port' }), 'keys of the JSON are completed: ' .. vim.inspect(labels))
  local fields = ask('textDocument/completion', 4, 3) or { items = {} }
  check(#fields.items > 0 and fields.items[1].documentation ~= nil, 'fields are documented')
  local selected = ask('textDocument/definition', 9, 6)
  check(selected ~= nil and selected.uri:find('objects.yaml', 1, true) ~= nil, 'a selector leads to its object')
  local hover_text = (ask('textDocument/hover', 9, 6) or { contents = { value = '' } }).contents.value
  check(hover_text:find('ConfigMap/settings', 1, true) ~= nil, 'hover names the object: ' .. hover_text)
  vim.api.nvim_buf_set_lines(0, 11, 12, true, { "    fieldPaths: ['data.config\\.json.server.host']" })
  check(vim.wait(20000, function() return #diagnostics() == 0 end, 20), 'the complete path has no mistake')

  -- What reads and writes the host below the string, from both sides.
  check(vim.deep_equal(places(11, 46), { 'kustomization.yaml:11', 'objects.yaml:9' }),
    'from the path to the value: ' .. vim.inspect(places(11, 46)))
  vim.cmd('edit ' .. folder .. '/edits/objects.yaml')
  vim.lsp.buf_attach_client(0, client)
  check(vim.deep_equal(places(9, 20), { 'kustomization.yaml:11', 'objects.yaml:9' }),
    'from the value to the path: ' .. vim.inspect(places(9, 20)))
  check(vim.deep_equal(places(2, 17), { 'kustomization.yaml:7', 'kustomization.yaml:15', 'objects.yaml:2' }),
    'from an object to the replacement and the patch: ' .. vim.inspect(places(2, 17)))

  -- Patches in files of their own, while a line is typed.
  vim.cmd('edit ' .. folder .. '/edits/patches/settings.yaml')
  vim.lsp.buf_attach_client(0, client)
  vim.api.nvim_buf_set_lines(0, 4, 5, true, { '  con' })
  check(vim.deep_equal(completed(4, 5), { 'config.json' }), 'keys of the object: ' .. vim.inspect(completed(4, 5)))
  vim.api.nvim_buf_set_lines(0, 2, 3, true, { 'metadata: {name: ' })
  check(vim.deep_equal(completed(2, 17), { 'settings' }), 'names of objects: ' .. vim.inspect(completed(2, 17)))
  vim.cmd('edit ' .. folder .. '/edits/operations.json')
  vim.lsp.buf_attach_client(0, client)
  vim.api.nvim_buf_set_lines(0, 0, 1, true, { '[{"op": "add", "path": "/meta' })
  check(vim.deep_equal(completed(0, 29), { 'apiVersion', 'kind', 'metadata' }),
    'pointers of a JSON patch: ' .. vim.inspect(completed(0, 29)))

  vim.lsp.stop_client(client)
  check(vim.wait(20000, function() return vim.lsp.client_is_stopped(client) end, 20), 'the server ends')
end

local finished, message = pcall(run)
check(finished, message)
for _, failure in ipairs(failures) do
  io.stderr:write('failed: ' .. failure .. '\n')
end
vim.cmd(#failures == 0 and 'qall!' or 'cquit 1')
