-- Opens a template in Neovim with the server, as a user does, and checks what the editor shows.
--
--   nvim --headless --clean -l … is newer than the Neovim of Debian 12, so the script is run by `-c luafile`.
--
-- Environment: INLAY is the program, FOLDER a folder with schema.yml, app.yml and helpers.star.

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
  local paths = ask('textDocument/completion', 11, 44) or { items = {} }
  local labels = {}
  for _, item in ipairs(paths.items) do table.insert(labels, item.label) end
  check(vim.deep_equal(labels, { 'host', 'port' }), 'keys of the JSON are completed: ' .. vim.inspect(labels))
  local fields = ask('textDocument/completion', 4, 3) or { items = {} }
  check(#fields.items > 0 and fields.items[1].documentation ~= nil, 'fields are documented')
  local selected = ask('textDocument/definition', 9, 6)
  check(selected ~= nil and selected.uri:find('objects.yaml', 1, true) ~= nil, 'a selector leads to its object')
  local hover_text = (ask('textDocument/hover', 9, 6) or { contents = { value = '' } }).contents.value
  check(hover_text:find('ConfigMap/settings', 1, true) ~= nil, 'hover names the object: ' .. hover_text)
  vim.api.nvim_buf_set_lines(0, 11, 12, true, { "    fieldPaths: ['data.config\\.json.server.host']" })
  check(vim.wait(20000, function() return #diagnostics() == 0 end, 20), 'the complete path has no mistake')

  vim.lsp.stop_client(client)
  check(vim.wait(20000, function() return vim.lsp.client_is_stopped(client) end, 20), 'the server ends')
end

local finished, message = pcall(run)
check(finished, message)
for _, failure in ipairs(failures) do
  io.stderr:write('failed: ' .. failure .. '\n')
end
vim.cmd(#failures == 0 and 'qall!' or 'cquit 1')
