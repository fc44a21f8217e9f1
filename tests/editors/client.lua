-- What the scripts of this folder share: they start the server in Neovim, ask it, and collect what is not as it should be.
--
-- `nvim --headless --clean -l …` is newer than the Neovim of Debian 12, so a script is run by `-c luafile`.
--
-- Environment: INLAY is the program, FOLDER the folder with the files (tests/editors.rs).

local editor = {}

local failures = {}

function editor.check(condition, what)
  if not condition then
    table.insert(failures, what)
  end
end

function editor.diagnostics()
  return vim.diagnostic.get(0)
end

function editor.ask(method, line, character, more)
  local parameters = {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    position = { line = line, character = character },
  }
  for key, value in pairs(more or {}) do
    parameters[key] = value
  end
  local answers = vim.lsp.buf_request_sync(0, method, parameters, 90000) or {}
  for _, answer in pairs(answers) do
    return answer.result
  end
end

--- Waits until a condition holds, and checks that it does.
function editor.eventually(condition, what)
  editor.check(vim.wait(90000, condition, 20), what)
end

--- Opens a file of the folder as a user does, with the server.
function editor.open(name)
  vim.cmd('edit ' .. os.getenv('FOLDER') .. '/' .. name)
  editor.client = editor.client or vim.lsp.start_client({
    name = 'inlay',
    cmd = { os.getenv('INLAY'), 'lsp' },
    root_dir = os.getenv('FOLDER'),
  })
  vim.lsp.buf_attach_client(0, editor.client)
  editor.eventually(function() return vim.lsp.get_client_by_id(editor.client).initialized end, 'the server starts')
end

--- Returns the labels of the inlay hints.
function editor.hints()
  local range = { start = { line = 0, character = 0 }, ['end'] = { line = 9999, character = 0 } }
  local labels = {}
  for _, hint in ipairs(editor.ask('textDocument/inlayHint', 0, 0, { range = range }) or {}) do
    table.insert(labels, hint.label)
  end
  return labels
end

--- Returns the titles of the code actions at a place, and the actions by title.
function editor.actions(line, character)
  local place = { line = line, character = character }
  local more = { range = { start = place, ['end'] = place }, context = { diagnostics = {} } }
  local titles, by_title = {}, {}
  for _, action in ipairs(editor.ask('textDocument/codeAction', line, character, more) or {}) do
    table.insert(titles, action.title)
    by_title[action.title] = action
  end
  return titles, by_title
end

--- Runs the checks of a script, ends the server, and ends Neovim with what was wrong.
function editor.run(script)
  local finished, message = pcall(script)
  editor.check(finished, message)
  vim.lsp.stop_client(editor.client)
  editor.eventually(function() return vim.lsp.client_is_stopped(editor.client) end, 'the server ends')
  for _, failure in ipairs(failures) do
    io.stderr:write('failed: ' .. failure .. '\n')
  end
  vim.cmd(#failures == 0 and 'qall!' or 'cquit 1')
end

--- Returns the labels that completion offers at a place.
function editor.completed(line, character)
  local answer = editor.ask('textDocument/completion', line, character) or { items = {} }
  local labels = {}
  for _, item in ipairs(answer.items) do table.insert(labels, item.label) end
  return labels
end

--- Returns the references of a place as `file:line`.
function editor.places(line, character)
  local more = { context = { includeDeclaration = true } }
  local found = {}
  for _, place in ipairs(editor.ask('textDocument/references', line, character, more) or {}) do
    table.insert(found, vim.fn.fnamemodify(vim.uri_to_fname(place.uri), ':t') .. ':' .. place.range.start.line)
  end
  return found
end

return editor
