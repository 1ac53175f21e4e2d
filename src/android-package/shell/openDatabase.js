/*
 * Implements WebSQL's openDatabase, which WebView doesn't have, with the shell's SQLite (Sqlite.java). The builder adds
 * this script after cordova.js to apps whose pages call openDatabase. Must run on old phones, so use only ES5.
 */
(function () {
  'use strict';
  var SERVICE = 'SQLitePlugin';
  var UNKNOWN_ERR = 0;
  var VERSION_ERR = 2;
  var SYNTAX_ERR = 5;
  var WRITES = /^[\s;]*(?:alter|create|delete|drop|insert|reindex|replace|update)\b/i;
  var TRANSACTIONS = /^[\s;]*(?:begin|commit|end|rollback)\b/i;
  var YEAR_S = 365 * 24 * 60 * 60;
  /** Connections, keyed by file name. A database that's opened twice has one connection. */
  var connections = {};

  function toError(code, message) {
    return { code: code, message: message };
  }

  function invalidState(message) {
    return new DOMException(message, 'InvalidStateError');
  }

  /* Store the version in a cookie, because pages need it synchronously and may clear localStorage. */
  function readVersion(key) {
    var found = new RegExp('(?:^|; )' + key.replace(/[^\w%-]/g, '\\$&') + '=([^;]*)').exec(document.cookie);
    var stored = localStorage.getItem(key);
    return stored !== null ? stored : found ? decodeURIComponent(found[1]) : null;
  }

  function writeVersion(key, version) {
    localStorage.setItem(key, version);
    document.cookie = key + '=' + encodeURIComponent(version) + '; path=/; max-age=' + YEAR_S;
  }

  function connect(file) {
    if (!connections[file]) {
      var connection = (connections[file] = { file: file, queue: [], isBusy: true, failure: null });
      var end = function (reason) {
        connection.isBusy = false;
        connection.failure = reason || null;
        next(connection);
      };
      cordova.exec(
        function () {
          end();
        },
        function (reason) {
          end(toError(UNKNOWN_ERR, String(reason)));
        },
        SERVICE,
        'open',
        [{ name: file }]
      );
    }
    return connections[file];
  }

  function next(connection) {
    if (!connection.isBusy && connection.queue.length > 0) {
      var transaction = connection.queue.shift();
      if (connection.failure) {
        tell(transaction.onError, connection.failure);
        next(connection);
      } else {
        connection.isBusy = true;
        start(connection, transaction);
      }
    }
  }

  /** Calls a page's callback. If the callback throws, later ones still run. */
  function tell(callback, value) {
    if (callback) {
      setTimeout(callback, 0, value);
    }
  }

  /** @param onResults receives the type, and the result or error, of each statement */
  function run(connection, statements, onResults) {
    cordova.exec(
      onResults,
      function (reason) {
        onResults(
          statements.map(function () {
            return { type: 'error', result: toError(UNKNOWN_ERR, String(reason)) };
          })
        );
      },
      SERVICE,
      'backgroundExecuteSqlBatch',
      [{ dbargs: { dbname: connection.file }, executes: statements }]
    );
  }

  function start(connection, transaction) {
    var statements = [];
    var isActive = true;
    var scope = {
      executeSql: function (sql, values, onRows, onError) {
        if (!isActive) {
          throw invalidState('The transaction has ended.');
        }
        statements.push({ sql: String(sql), values: values || [], onRows: onRows, onError: onError });
      },
    };

    function end(failure) {
      isActive = false;
      run(connection, [{ sql: failure ? 'ROLLBACK' : 'COMMIT', params: [] }], function (results) {
        var isCommitted = !failure && results[0].type === 'success';
        if (isCommitted && transaction.onCommit) {
          transaction.onCommit();
        }
        connection.isBusy = false;
        if (isCommitted) {
          tell(transaction.onSuccess);
        } else {
          tell(transaction.onError, failure || results[0].result);
        }
        next(connection);
      });
    }

    function callPage(callback, value) {
      try {
        return { value: callback(scope, value) };
      } catch (error) {
        console.error(error);
        return { error: toError(UNKNOWN_ERR, String(error)) };
      }
    }

    /**
     * Handles the result of a statement.
     *
     * @returns the reason why the transaction ends, or undefined if it continues
     */
    function take(statement, answer) {
      if (answer.type === 'success') {
        return statement.onRows ? callPage(statement.onRows, toResultSet(answer.result)).error : undefined;
      }
      var called = statement.onError ? callPage(statement.onError, answer.result) : { value: true };
      return called.error || (called.value === false ? undefined : answer.result);
    }

    function goOn() {
      var batch = statements.splice(0);
      if (batch.length === 0) {
        end();
        return;
      }
      var refused = [];
      var sent = batch.map(function (statement, index) {
        var isRefused = TRANSACTIONS.test(statement.sql) || (transaction.isReadOnly && WRITES.test(statement.sql));
        refused[index] = isRefused;
        return {
          sql: isRefused ? 'SELECT 1' : statement.sql,
          params: Array.prototype.map.call(statement.values, toParam),
        };
      });
      run(connection, sent, function (results) {
        var failure;
        batch.forEach(function (statement, index) {
          var answer = refused[index]
            ? { type: 'error', result: toError(SYNTAX_ERR, 'not authorized: ' + statement.sql) }
            : results[index];
          failure = failure || take(statement, answer);
        });
        if (failure) {
          end(failure);
        } else {
          goOn();
        }
      });
    }

    run(connection, [{ sql: 'BEGIN', params: [] }], function (results) {
      if (results[0].type !== 'success') {
        isActive = false;
        connection.isBusy = false;
        tell(transaction.onError, results[0].result);
        next(connection);
        return;
      }
      var failure = transaction.check && transaction.check();
      if (!failure && transaction.callback) {
        failure = callPage(transaction.callback).error;
      }
      if (failure) {
        end(failure);
      } else {
        goOn();
      }
    });
  }

  function toParam(value) {
    return value === undefined || value === null ? null : typeof value === 'number' ? value : String(value);
  }

  function toResultSet(result) {
    var rows = result.rows || [];
    Object.defineProperty(rows, 'item', {
      value: function (index) {
        return rows[index] === undefined ? null : rows[index];
      },
    });
    return { rows: rows, rowsAffected: result.rowsAffected || 0, insertId: result.insertId };
  }

  window.openDatabase = function (name, version, displayName, size, onCreation) {
    if (arguments.length < 4) {
      throw new TypeError('openDatabase needs a name, a version, a display name, and a size.');
    }
    var file = 'websql.' + encodeURIComponent(name);
    var key = 'appbuild.' + file;
    var wanted = version === null || version === undefined ? '' : String(version);
    var known = readVersion(key);
    if (known !== null && wanted !== '' && known !== wanted) {
      throw invalidState('The database has the version ' + known + ', not ' + wanted + '.');
    }
    var connection = connect(file);
    var current = known !== null ? known : onCreation ? '' : wanted;
    writeVersion(key, current);

    function add(isReadOnly) {
      return function (callback, onError, onSuccess) {
        if (typeof callback !== 'function') {
          throw new TypeError('A transaction needs a function.');
        }
        queue({ callback: callback, onError: onError, onSuccess: onSuccess, isReadOnly: isReadOnly });
      };
    }

    function queue(transaction) {
      connection.queue.push(transaction);
      setTimeout(next, 0, connection);
    }

    var database = {
      transaction: add(false),
      readTransaction: add(true),
      changeVersion: function (from, to, callback, onError, onSuccess) {
        queue({
          callback: callback,
          onError: onError,
          onSuccess: onSuccess,
          check: function () {
            var now = readVersion(key);
            return now === String(from)
              ? undefined
              : toError(VERSION_ERR, 'The version is ' + now + ', not ' + from + '.');
          },
          onCommit: function () {
            writeVersion(key, String(to));
          },
        });
      },
    };
    Object.defineProperty(database, 'version', {
      get: function () {
        return readVersion(key);
      },
    });
    if (known === null) {
      tell(onCreation, database);
    }
    return database;
  };
})();
